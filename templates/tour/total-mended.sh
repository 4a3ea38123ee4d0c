# total.sh NET RATE: the price with tax, in cents
tax=$(($1 * $2 / 100))
echo $(($1 + tax))

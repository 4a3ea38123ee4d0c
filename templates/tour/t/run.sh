# Runs every line of t/cases: name, net, rate, expected total. Prints TAP.
count=0
bad=0
while read -r name net rate expected; do
    count=$((count + 1))
    if [ "$(sh total.sh "$net" "$rate")" = "$expected" ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        bad=1
    fi
done <t/cases
echo "1..$count"
exit $bad

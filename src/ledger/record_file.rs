//! A record's file name: `<seq/100>/<seq>-<first 16 hex>.<type>.json`.

//! Tests of `src/ledger`.

mod append;
mod cache;
mod concurrency;
mod forge;
mod fsck_claims;
mod fsck_commit;
mod fsck_content;
mod fsck_merge;
mod fsck_replay;
mod journal;
mod log_store;
mod message;
mod read;
mod record_file;
mod scratch;

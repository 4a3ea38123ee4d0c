//! A stream commit's message: a subject and a pair of trailers for each record.

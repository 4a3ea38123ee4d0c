//! Tests of `src/cli`.

mod arguments;
mod concurrency;
mod environment;
mod failure;
mod format_pages;
mod interrupts;
mod json_page;
mod killed;
mod kit;
mod manual;
mod output;
mod readme;
mod render;
mod value;

/// The source of a manual page, by its file's name.
#[track_caller]
fn manual_page(name: &str) -> String {
    let pages = git_rapid::cli::manual::pages();
    let page = pages.into_iter().find(|page| page.file_name() == name);
    page.unwrap_or_else(|| panic!("no page {name}")).text
}

//! Everything a person sees: wording, signs, columns, colours.
//!
//! A view is a plain value that a verb fills from its outcome. It is serialised as the JSON
//! document and rendered as text, so both always say the same. Rendering is pure: width,
//! moment and language come from the [`Page`]. Colours are always in the text; the output
//! takes them out where they are not wanted. No sign stands without a word beside it.

pub mod check;
pub mod deed;
pub mod evidence;
pub mod failure;
pub mod finish;
pub mod fsck;
pub mod log;
pub mod next;
pub mod objection;
mod page;
mod reason;
pub mod report;
pub mod review;
pub mod spec;
pub mod start;
pub mod status;
mod text;
mod time;
pub mod verify;
mod word;

pub use deed::{ConflictsView, InitView, TaskList, UninstallView};
pub use finish::FinishView;
pub use fsck::FsckView;
pub use next::NextView;
pub use objection::ObjectionView;
pub use page::{Page, Row};
pub use reason::{REASONS, reason};
pub use report::ReportView;
pub use spec::{SpecList, SpecTemplate};
pub use start::StartView;
pub use text::{
    Sign, Tint, clean, clean_bytes, command_line, count_of, short_digest, tinted, width_of, wrap,
};
pub use time::{age, day_and_time, duration};

/// What can be shown to a person.
pub trait Render {
    /// Writes it on the page.
    fn render(&self, page: &mut Page);
}

//! What tests share: a deterministic environment and scratch repositories.
//!
//! No assertion about the product lives here, and nothing of the machine the tests run
//! on reaches a child: it gets the variables of [`sandbox::Sandbox::environment`] and no
//! others, so neither the tester's git config nor the marker of an agent that happens to
//! run the tests plays a part.

pub mod doubler;
pub mod driver;
pub mod project;
mod run;
mod sandbox;
pub mod story;
#[cfg(target_os = "linux")]
mod terminal;

pub use run::Run;
pub use sandbox::{Sandbox, SandboxKind};

//! `git rapid man`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, manual, session::Session};
use crate::diagnostic::Code;
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A root of man, such as ~/.local/share/man
    #[arg(long, value_name = "DIR")]
    pub install: PathBuf,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let root = session.path(&self.install);
        let pages = manual::pages();
        for page in &pages {
            let path = root
                .join(format!("man{}", page.section))
                .join(page.file_name());
            let written = path
                .parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(&path, &page.text));
            written.map_err(|error| {
                Failure::new(Code::FileSystem, format!("cannot write {}", path.display()))
                    .cause(error.to_string())
            })?;
        }
        let names: Vec<String> = pages.iter().map(manual::ManualPage::file_name).collect();
        session.out.tell(&manual::Installed {
            schema_version: 1,
            folder: root.to_string_lossy().into_owned(),
            pages: names,
        })?;
        Ok(Status::DONE)
    }
}

//! The verbs: one file each, as the module above describes.
//!
//! The doc comments here are the first words of the help and of the manual: what a verb
//! does, when to use it, an example.

pub mod abort;
pub mod approve;
pub mod attach;
pub mod check;
pub mod commit;
pub mod completions;
pub mod eval;
pub mod evidence;
pub mod finish;
pub mod fsck;
pub mod hook;
pub mod init;
pub mod log;
pub mod man;
pub mod next;
pub mod pause;
pub mod resolve;
pub mod resume;
pub mod review;
pub mod show;
pub mod spec;
pub mod start;
pub mod status;
pub mod supersede;
pub mod task;
pub mod tour;
pub mod verify;

use super::{Status, failure::Failure, session::Session};

/// Every verb.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Verb {
    /// Prepare this repository, safe to run again
    ///
    /// Installs the hooks that guard commits, beside what is there: a hook of the same name gets
    /// the name <hook>.before-rapid and runs first. They go where git looks for hooks, never outside
    /// this repository, and serve all its worktrees. Gives this clone its writer id, the name of
    /// its journal, turns on the reflog of refs/rapid, and says which test command was found.
    ///
    /// Nothing of the loop needs it: start, check and finish work without, but then commits are not
    /// guarded. --uninstall takes the hooks away and gives the former ones their place back; the
    /// ledger stays. git-rapid-hook(1) says what each hook stops and what it cannot.
    ///
    /// Examples:
    ///
    ///     git rapid init
    ///     git rapid init --uninstall
    #[command(verbatim_doc_comment)]
    Init(Box<init::Args>),
    /// Say what comes next; change nothing
    ///
    /// Looks at the run bound to this worktree and branch, at its records and at the working
    /// tree, and names one action with the exact command. With --json the document is the one
    /// of git-rapid-next(5): a program that does what it says comes to a verdict. Where no run
    /// is bound the action is to write a spec; with a mode, that mode's spec. It exits 0 whatever it
    /// says: that a person is waited for, or that nothing can go on, is an answer too.
    ///
    /// Examples:
    ///
    ///     git rapid next
    ///     git rapid next bugfix --json
    #[command(verbatim_doc_comment)]
    Next(Box<next::Args>),
    /// Begin a run: from a sentence, a written spec or a stored one
    ///
    /// Stores the spec, decides class, risk, workspace and gates, makes the contract, records
    /// where the work happens, measures the tests as they are (from medium risk up) and
    /// activates the run, as far as all of that can be done; then says what comes next.
    ///
    /// High risk makes a linked worktree on a branch of its own and says where. Tracked changes
    /// that lay there already belong to the run when they are inside the declared scope, and
    /// are refused when they are outside. A spec that has an open question, no task or no criterion
    /// is kept as a draft: the exit status is 1, and a person has to answer.
    ///
    /// A written spec says its mode itself; a mode beside it has to be the same.
    ///
    /// Examples:
    ///
    ///     git rapid start -m "say hello in Spanish" --paths src/hello.txt
    ///     git rapid start bugfix -m "tax is counted twice"
    ///     git rapid start feature --spec-file spec.json
    #[command(verbatim_doc_comment)]
    Start(Box<start::Args>),
    /// Run a check and record its result on the exact tree
    ///
    /// Without a name or a command: every named check that is due. With names: those. With a
    /// command after --: that command. It decides something only where it is the own check of a
    /// task or criterion; otherwise it is an aside: kept, shown, and never counted for a verdict.
    /// No shell reads the words.
    ///
    /// The working tree is compared before and after; a result on a tree that changed meanwhile
    /// counts for nothing. A good result for the same tree, command, folder and environment is
    /// cited, not repeated.
    ///
    /// Tests are counted from the output, for the runners that are known, or from report files. A
    /// run that was not counted, or that ran no test, closes no gate.
    ///
    /// Examples:
    ///
    ///     git rapid check
    ///     git rapid check --expect fail --task T001
    ///     git rapid check --report junit.xml -- ./run-tests --junit junit.xml
    #[command(verbatim_doc_comment)]
    Check(Box<check::Args>),
    /// Move a task: start, done, block, skip; or list them
    ///
    /// A task goes from pending to in progress, and from there to done; it may be blocked on the way
    /// and taken up again, or skipped. While one is in progress, git rapid check speaks for it.
    ///
    /// Examples:
    ///
    ///     git rapid task list
    ///     git rapid task start T001
    ///     git rapid task done T001
    ///     git rapid task skip T002 --reason "the library does it already"
    #[command(verbatim_doc_comment)]
    Task(Box<task::Args>),
    /// Keep files with the run, as evidence for a task
    ///
    /// A research run shows its result this way. The bytes are kept in the run's stream by their
    /// content, and the record names them; git rapid evidence cat prints them again.
    ///
    /// Example:
    ///
    ///     git rapid attach report.md --task T001
    #[command(verbatim_doc_comment)]
    Attach(Box<attach::Args>),
    /// Commit what was verified, with git commit and all its hooks
    ///
    /// Runs the checks on the tree that is about to be committed when no good result for it exists,
    /// and refuses what was not planned, is protected, or was never verified. Then it passes the
    /// Rapid- trailers on to git commit and records the commit. A refusal changes nothing on disk.
    /// Without -m: an editor at a terminal, else the spec's title.
    ///
    /// With -a it takes what this run changed; without, the index as it is, which has to be the tree
    /// that lies on disk.
    ///
    /// With --wip work is saved untested: it has to lie inside the plan all the same, and the commit
    /// and its record say that nothing verified it.
    ///
    /// Examples:
    ///
    ///     git rapid commit -a -m "count tax once"
    ///     git rapid commit --wip -a -m "half way"
    ///     git rapid commit -m "count tax once" -- --signoff
    #[command(verbatim_doc_comment)]
    Commit(Box<commit::Args>),
    /// Judge the run and, when all holds, end it
    ///
    /// Judges HEAD's tree. Acknowledges the machine gates that the evidence backs; when everything
    /// required holds, finishes the run, stores the report, seals it in this clone's journal and
    /// unbinds it. Otherwise it changes nothing, prints what is missing and the next action, and
    /// exits 1.
    ///
    /// It merges nothing: for a run in a linked worktree it says how.
    ///
    /// Example:
    ///
    ///     git rapid finish
    #[command(verbatim_doc_comment)]
    Finish(Box<finish::Args>),
    /// Show what an approval would judge, without approving
    ///
    /// Changed and deleted tests first, then the change since the base, the checks and who chose
    /// them, and the verdict so far.
    ///
    /// Example:
    ///
    ///     git rapid review --diff
    #[command(verbatim_doc_comment)]
    Review(Box<review::Args>),
    /// Give a person's word: approve, send back, reject or waive
    ///
    /// Only for a person at a terminal of their own: what is judged is shown, changed tests first,
    /// and a phrase has to be typed. Without a gate: all that wait, on one screen. An approval holds
    /// for the tree it was given on, and goes stale with any other.
    ///
    /// None of this can stop someone who sets out to deceive; a signature with a key that this
    /// machine does not hold says more.
    ///
    /// Examples:
    ///
    ///     git rapid approve
    ///     git rapid approve gate.baseline --waive --reason "red on main since monday"
    ///     git rapid approve --request-changes --reason "the name is misleading"
    #[command(verbatim_doc_comment)]
    Approve(Box<approve::Args>),
    /// Settle events that contradict each other after a merge
    ///
    /// When two clones moved a run in ways that do not fit together, the event that is not legal
    /// in the merged order changes nothing and keeps the run from passing until a person names it
    /// here. Only for a person at a terminal.
    ///
    /// Example:
    ///
    ///     git rapid resolve 5c2d10ff --reason "the task was skipped, not done"
    #[command(verbatim_doc_comment)]
    Resolve(Box<resolve::Args>),
    /// Show how the run stands here
    ///
    /// Tasks, the tree and whether it is verified, the scope, the latest checks, who is waited for,
    /// and what comes next. Changes nothing and never exits 1.
    ///
    /// Example:
    ///
    ///     git rapid status
    #[command(verbatim_doc_comment)]
    Status(Box<status::Args>),
    /// Put the run aside; it stays bound here and guards nothing
    ///
    /// While it is paused another run may be started in its place. git rapid resume takes it up
    /// again.
    ///
    /// Example:
    ///
    ///     git rapid pause --reason "something more urgent"
    #[command(verbatim_doc_comment)]
    Pause(Box<pause::Args>),
    /// Take a run up again, or bind it here
    ///
    /// Binds the run to this worktree and branch, acknowledges the gates before the work that the
    /// evidence backs, and activates it. When the same thing failed too often the run is blocked
    /// until a person says here, at a terminal, that it may go on.
    ///
    /// Examples:
    ///
    ///     git rapid resume
    ///     git rapid resume tax-counted-twice-r1-run-001 --worktree
    #[command(verbatim_doc_comment)]
    Resume(Box<resume::Args>),
    /// Give the run up
    ///
    /// The run ends as cancelled and is unbound; its records stay. Under a coding agent a reason is
    /// needed.
    ///
    /// Example:
    ///
    ///     git rapid abort --reason "no longer wanted"
    #[command(verbatim_doc_comment)]
    Abort(Box<abort::Args>),
    /// End the run and start its successor in one go
    ///
    /// The successor has the same spec unless another is given, the same base and the same bystanders;
    /// where the work happens and the measured baseline are copied. Under a coding agent a reason is
    /// needed.
    ///
    /// Example:
    ///
    ///     git rapid supersede feature --reason "it reaches further than thought"
    #[command(verbatim_doc_comment)]
    Supersede(Box<supersede::Args>),
    /// Tell the run's story, newest last
    ///
    /// Record by record: what happened, and when. Where no run is bound and none is named it lists the
    /// runs of this ledger.
    ///
    /// Examples:
    ///
    ///     git rapid log
    ///     git rapid log tax-counted-twice-r1-run-001
    #[command(verbatim_doc_comment)]
    Log(Box<log::Args>),
    /// Show one thing in full: a run, a record, a spec or a commit
    ///
    /// Of a commit: which run speaks of it, and what the verdict is, as git rapid verify tells it.
    /// A record is named by 8 digits or more of its digest, or as E003 within the run bound here or
    /// named with --run.
    ///
    /// Examples:
    ///
    ///     git rapid show E003
    ///     git rapid show HEAD
    #[command(verbatim_doc_comment)]
    Show(Box<show::Args>),
    /// Ask whether a commit or a run was verified, and prove it
    ///
    /// A reader's question: the run is looked up by the commit's tree, its records are proved whole,
    /// its stored report is replayed, and the verdict is told. Exits 0 whatever it finds, unless a
    /// passing verdict is required. Without a commit or run: HEAD.
    ///
    /// Examples:
    ///
    ///     git rapid verify
    ///     git rapid verify HEAD --require-pass
    #[command(verbatim_doc_comment)]
    Verify(Box<verify::Args>),
    /// Prove that the ledger only ever grew
    ///
    /// Recomputes every digest and replays every rule over the named streams, or over all of them and
    /// what the journals claim. Exits 1 when it finds a fault. A clone that never shared its ledger can
    /// forget, and nothing can prove that it did not.
    ///
    /// Example:
    ///
    ///     git rapid fsck
    #[command(verbatim_doc_comment)]
    Fsck(Box<fsck::Args>),
    /// Walk through the whole loop in a scratch repository
    ///
    /// Runs real commands in a temporary repository: a bug from one sentence, its proof, a commit
    /// outside the plan that is refused, the fix, and the verdict checked again. Needs git and sh only,
    /// and leaves nothing behind.
    ///
    /// Example:
    ///
    ///     git rapid tour
    #[command(verbatim_doc_comment)]
    Tour(Box<tour::Args>),
    /// Look at specs: show, list, template
    ///
    /// A spec says what a change is to do; git-rapid-spec(5) describes the document. git rapid start
    /// stores it.
    ///
    /// Examples:
    ///
    ///     git rapid spec template feature > spec.json
    ///     git rapid spec list
    ///     git rapid spec show booking-availability@2
    #[command(verbatim_doc_comment)]
    Spec(Box<spec::Args>),
    /// Look at evidence: list, show, cat
    ///
    /// Evidence is what was observed: results of checks, reviews, attached files, commits. It
    /// belongs to the run bound here, or to the one named with --run.
    ///
    /// Examples:
    ///
    ///     git rapid evidence list
    ///     git rapid evidence cat E004 > report.md
    #[command(verbatim_doc_comment)]
    Evidence(Box<evidence::Args>),
    /// Judge a run now, without ending it
    ///
    /// Prints every assertion with its answer and the verdict that follows, and stores nothing. A run
    /// that has finished is judged by the facts that its stored report holds.
    ///
    /// Examples:
    ///
    ///     git rapid eval run
    ///     git rapid eval run --run tax-counted-twice-r1-run-001 --require-pass
    #[command(verbatim_doc_comment)]
    Eval(Box<eval::Args>),
    /// Do what a git hook is called for
    ///
    /// Called by the scripts that init installs, as git-rapid hook. The same rule stands at each
    /// door, and each catches what the one before cannot:
    ///
    /// pre-commit and pre-merge-commit say early, before a message is asked for, that the content
    /// to be committed is not what was tested, or lies outside the plan. commit-msg asks again, on
    /// the content that is really committed, and writes the trailers Rapid-Run, Rapid-Task and
    /// Rapid-Verified. post-commit records the commit; post-rewrite follows an amend or a rebase.
    ///
    /// What they cannot stop: git commit --no-verify, cherry-pick, revert, rebase, am and plumbing
    /// ask none of the first three, and whoever owns the clone can take hooks away. Such a commit
    /// gets no record unless its tree was tested; status and verify name it as unproven.
    ///
    /// rapid.enforce is strict (the default), warn or off; rapid.guard is commit (the default), tip
    /// (commits are free) or off. Exits 1 for a refusal and 4 when it could not judge; the scripts
    /// let that pass only where no run is bound.
    ///
    /// Example:
    ///
    ///     git rapid hook pre-commit
    #[command(verbatim_doc_comment)]
    Hook(Box<hook::Args>),
    /// Write the manual pages into a folder
    ///
    /// `git rapid --help` and `git rapid <verb> --help` then open them. The folder is one of man's
    /// roots; the pages go into man1, man5 and man7 below it.
    ///
    /// Example:
    ///
    ///     git rapid man --install ~/.local/share/man
    #[command(verbatim_doc_comment)]
    Man(Box<man::Args>),
    /// Print a completion script for a shell
    ///
    /// bash: source it after git's own completion; it completes `git-rapid` and, through git's,
    /// `git rapid`. zsh: save it as `_git-rapid` in a folder of fpath; git's completion finds it by
    /// that name. fish: save it as git-rapid.fish in fish's completions folder.
    ///
    /// Examples:
    ///
    ///     git rapid completions bash >> ~/.bash_completion
    ///     git rapid completions zsh > ~/.zfunc/_git-rapid
    #[command(verbatim_doc_comment)]
    Completions(Box<completions::Args>),
}

impl Verb {
    /// Runs it.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        match self {
            Self::Init(args) => args.run(session),
            Self::Next(args) => args.run(session),
            Self::Start(args) => args.run(session),
            Self::Check(args) => args.run(session),
            Self::Task(args) => args.run(session),
            Self::Attach(args) => args.run(session),
            Self::Commit(args) => args.run(session),
            Self::Finish(args) => args.run(session),
            Self::Review(args) => args.run(session),
            Self::Approve(args) => args.run(session),
            Self::Resolve(args) => args.run(session),
            Self::Status(args) => args.run(session),
            Self::Pause(args) => args.run(session),
            Self::Resume(args) => args.run(session),
            Self::Abort(args) => args.run(session),
            Self::Supersede(args) => args.run(session),
            Self::Log(args) => args.run(session),
            Self::Show(args) => args.run(session),
            Self::Verify(args) => args.run(session),
            Self::Fsck(args) => args.run(session),
            Self::Tour(args) => args.run(session),
            Self::Spec(args) => args.run(session),
            Self::Evidence(args) => args.run(session),
            Self::Eval(args) => args.run(session),
            Self::Hook(args) => args.run(session),
            Self::Man(args) => args.run(session),
            Self::Completions(args) => args.run(session),
        }
    }
}

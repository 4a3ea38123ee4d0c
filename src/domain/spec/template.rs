//! Specs that are made rather than written: from one sentence, and the empty form.

use super::{ChangeTraits, DataImpact, Mode, Pattern, Spec, SpecCriterion, SpecTask};
use crate::domain::id::TaskId;
use serde_json::{Map, Value, json};

/// The task and criterion texts a mode's template supplies, in the user's language.
#[derive(Clone, Debug)]
pub struct SentenceTexts {
    /// Task descriptions.
    pub tasks: Vec<String>,
    /// Acceptance texts.
    pub acceptance: Vec<String>,
}

/// A spec from a sentence and the template of its mode.
///
/// The sentence becomes the title as it is; [`template_json`] of the result, read by
/// [`read_json`](super::read_json), tells what is wrong with it, as for any document.
pub fn from_sentence(
    title: &str,
    mode: Mode,
    paths: Option<Vec<Pattern>>,
    texts: &SentenceTexts,
) -> Spec {
    let criterion = |text: &String| SpecCriterion {
        text: text.clone(),
        check: None,
    };
    let mut tasks: Vec<_> = texts.tasks.iter().map(|text| SpecTask::of(text)).collect();
    if mode == Mode::Bugfix {
        // The bug is proved before anything is mended.
        for later in tasks.iter_mut().skip(1) {
            later.after = vec![TaskId::at(1)];
        }
    }
    Spec {
        title: title.trim().to_owned(),
        mode,
        affected_paths: paths,
        acceptance_criteria: texts.acceptance.iter().map(criterion).collect(),
        implementation_tasks: tasks,
        ..Spec::empty(mode)
    }
}

impl Spec {
    /// A spec that says nothing yet: every field at its default.
    pub fn empty(mode: Mode) -> Self {
        Self {
            title: String::new(),
            mode,
            business_objective: String::new(),
            problem_statement: String::new(),
            scope: Vec::new(),
            out_of_scope: Vec::new(),
            actors_users: Vec::new(),
            main_flow: Vec::new(),
            edge_cases: Vec::new(),
            business_rules: Vec::new(),
            technical_constraints: Vec::new(),
            testing_strategy: Vec::new(),
            data_impact: DataImpact::None,
            affected_paths: None,
            acceptance_criteria: Vec::new(),
            implementation_tasks: Vec::new(),
            open_questions: Vec::new(),
            change: ChangeTraits {
                clear: true,
                bounded: true,
                reversible: true,
                checkable: true,
            },
            tags: Vec::new(),
            test_command: None,
        }
    }
}

impl SpecTask {
    /// A task that is only described.
    pub fn of(description: &str) -> Self {
        Self {
            description: description.to_owned(),
            paths: Vec::new(),
            checks: Vec::new(),
            after: Vec::new(),
            minutes: None,
            attempts: None,
        }
    }

    fn is_text_only(&self) -> bool {
        *self == Self::of(&self.description)
    }
}

/// The document a person or agent fills in, as a JSON object in the order of the spec's fields.
///
/// Reading it back gives the same spec. What is not declared is left out, and so is
/// what a task or criterion does not have.
pub fn template_json(spec: &Spec) -> Value {
    let mut document = Map::new();
    let mut put = |key: &str, value: Value| {
        document.insert(key.to_owned(), value);
    };
    put("title", json!(spec.title));
    put("mode", json!(spec.mode));
    put("business_objective", json!(spec.business_objective));
    put("problem_statement", json!(spec.problem_statement));
    put("scope", json!(spec.scope));
    put("out_of_scope", json!(spec.out_of_scope));
    put("actors_users", json!(spec.actors_users));
    put("main_flow", json!(spec.main_flow));
    put("edge_cases", json!(spec.edge_cases));
    put("business_rules", json!(spec.business_rules));
    put("technical_constraints", json!(spec.technical_constraints));
    put("testing_strategy", json!(spec.testing_strategy));
    put("data_impact", json!(spec.data_impact.as_text()));
    if let Some(paths) = &spec.affected_paths {
        put("affected_paths", json!(paths));
    }
    let criteria = spec.acceptance_criteria.iter().map(criterion_json);
    put("acceptance_criteria", criteria.collect());
    let tasks = spec.implementation_tasks.iter().map(task_json);
    put("implementation_tasks", tasks.collect());
    put("open_questions", json!(spec.open_questions));
    put("change", json!(spec.change));
    put("tags", json!(spec.tags));
    if let Some(command) = &spec.test_command {
        let mut object = Map::from_iter([("argv".to_owned(), json!(command.argv))]);
        if let Some(cwd) = &command.cwd {
            object.insert("cwd".to_owned(), json!(cwd));
        }
        put("test_command", object.into());
    }
    document.into()
}

fn criterion_json(criterion: &SpecCriterion) -> Value {
    match &criterion.check {
        None => json!(criterion.text),
        Some(check) => json!({"text": criterion.text, "check": check}),
    }
}

fn task_json(task: &SpecTask) -> Value {
    if task.is_text_only() {
        return json!(task.description);
    }
    let mut object = Map::new();
    object.insert("description".to_owned(), json!(task.description));
    let lists = [
        ("paths", json!(task.paths)),
        ("checks", json!(task.checks)),
        ("after", json!(task.after)),
    ];
    for (key, list) in lists {
        if list != json!([]) {
            object.insert(key.to_owned(), list);
        }
    }
    for (key, number) in [("minutes", task.minutes), ("attempts", task.attempts)] {
        if let Some(number) = number {
            object.insert(key.to_owned(), json!(number));
        }
    }
    object.into()
}

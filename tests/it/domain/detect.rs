//! The test command of a project.

use git_rapid::domain::policy::detect_test_command;

/// The command and its source for a root that holds these files.
fn detect(files: &[(&str, &str)]) -> Option<(String, &'static str)> {
    let mut read = |name: &str| {
        let found = files.iter().find(|(file, _)| *file == name);
        found.map(|(_, text)| text.as_bytes().to_vec())
    };
    let found = detect_test_command(&mut read)?;
    let words: Vec<_> = found
        .argv
        .iter()
        .map(|word| word.lossy().into_owned())
        .collect();
    Some((words.join(" "), found.source))
}

fn command(files: &[(&str, &str)]) -> Option<String> {
    detect(files).map(|(command, _)| command)
}

#[test]
fn each_project_file_tells_its_command() {
    let node = r#"{"scripts":{"test":"node --test"}}"#;
    for (files, wanted, source) in [
        (&[("Cargo.toml", "")][..], "cargo test", "Cargo.toml"),
        (&[("go.mod", "")], "go test -v ./...", "go.mod"),
        (&[("package.json", node)], "npm test", "package.json"),
        (
            &[("package.json", node), ("pnpm-lock.yaml", "")],
            "pnpm test",
            "package.json",
        ),
        (
            &[("package.json", node), ("yarn.lock", "")],
            "yarn test",
            "package.json",
        ),
        (
            &[("package.json", node), ("bun.lock", "")],
            "bun run test",
            "package.json",
        ),
        (
            &[("package.json", node), ("bun.lockb", "")],
            "bun run test",
            "package.json",
        ),
        (&[("pytest.ini", "")], "python3 -m pytest", "pytest.ini"),
        (
            &[("pyproject.toml", "[tool.pytest.ini_options]\n")],
            "python3 -m pytest",
            "pyproject.toml",
        ),
        (
            &[(
                "pyproject.toml",
                "[project.optional-dependencies]\ndev = [\"ruff\", 'pytest>=8']\n",
            )],
            "python3 -m pytest",
            "pyproject.toml",
        ),
        (
            &[(
                "pyproject.toml",
                "[tool.poetry.group.dev.dependencies]\npytest = \"^8\"\n",
            )],
            "python3 -m pytest",
            "pyproject.toml",
        ),
        (
            &[("setup.cfg", "[tool:pytest]\n")],
            "python3 -m pytest",
            "setup.cfg",
        ),
        (&[("tox.ini", "[pytest]\n")], "python3 -m pytest", "tox.ini"),
        (
            &[("pyproject.toml", ""), ("tests/conftest.py", "")],
            "python3 -m pytest",
            "tests/conftest.py",
        ),
        (
            &[("pyproject.toml", ""), ("tests/__init__.py", "")],
            "python3 -m unittest",
            "pyproject.toml",
        ),
        (
            &[("setup.py", ""), ("test/__init__.py", "")],
            "python3 -m unittest",
            "setup.py",
        ),
        (&[("tests.py", "")], "python3 -m unittest", "tests.py"),
        (
            &[("Makefile", "all:\n\ttrue\ntest: all\n\t./t.sh\n")],
            "make test",
            "Makefile",
        ),
        (
            &[("Makefile", "check::\n\t./t.sh\n")],
            "make check",
            "Makefile",
        ),
        (
            &[("Makefile", "check: x\ntest: x\n")],
            "make test",
            "Makefile",
        ),
        (
            &[("GNUmakefile", "lint test: x\n"), ("Makefile", "")],
            "make test",
            "GNUmakefile",
        ),
        (
            &[("justfile", "test:\n  ./t.sh\n")],
            "just test",
            "justfile",
        ),
        (
            &[(".justfile", "@test *args: build\n  ./t.sh\n")],
            "just test",
            ".justfile",
        ),
        (
            &[("Justfile", "test what='all':\n  ./t.sh\n")],
            "just test",
            "Justfile",
        ),
        (&[("pom.xml", "")], "mvn test", "pom.xml"),
        (&[("pom.xml", ""), ("mvnw", "")], "./mvnw test", "pom.xml"),
        (&[("build.gradle", "")], "gradle test", "build.gradle"),
        (
            &[("build.gradle.kts", ""), ("gradlew", "")],
            "./gradlew test",
            "build.gradle.kts",
        ),
        (&[("mix.exs", "")], "mix test", "mix.exs"),
    ] {
        assert_eq!(
            detect(files),
            Some((wanted.to_owned(), source)),
            "{files:?}"
        );
    }
}

#[test]
fn what_would_test_nothing_is_not_taken() {
    for files in [
        &[][..],
        &[("README.md", "cargo test")],
        &[("package.json", "{}")],
        &[("package.json", "not json")],
        &[("package.json", r#"{"scripts":{"test":""}}"#)],
        &[("package.json", r#"{"scripts":{"test":["x"]}}"#)],
        &[(
            "package.json",
            r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#,
        )],
        &[("pyproject.toml", "[project]\nname = \"pytester\"\n")],
        &[("pyproject.toml", "dev = [\"pytest-cov\"]\n")],
        &[(
            "Makefile",
            "test := x\nTEST: y\n\ttest: z\n# test:\n.PHONY: test\ntest::=x\n",
        )],
        &[("Makefile", "testing: x\n")],
        &[("justfile", "test := 'x'\n")],
        &[("justfile", "test what:\n  x\n")],
        &[("justfile", "testing:\n  x\n  test: y\n")],
        &[("gradlew", "")],
    ] {
        assert_eq!(detect(files), None, "{files:?}");
    }
}

#[test]
fn the_named_package_manager_wins_over_a_lock_file() {
    let package = r#"{"packageManager":"pnpm@9.1.0","scripts":{"test":"vitest run"}}"#;
    assert_eq!(
        command(&[("package.json", package), ("yarn.lock", "")]).unwrap(),
        "pnpm test"
    );
    let package = r#"{"packageManager":"npm@10.0.0","scripts":{"test":"vitest run"}}"#;
    assert_eq!(
        command(&[("package.json", package), ("yarn.lock", "")]).unwrap(),
        "npm test"
    );
}

#[test]
fn the_first_file_that_tells_a_command_wins() {
    let files = [("Makefile", "test:\n"), ("mix.exs", ""), ("Cargo.toml", "")];
    assert_eq!(command(&files).unwrap(), "cargo test");
    // A file that tells nothing does not stand in the way.
    let files = [("package.json", "{}"), ("Makefile", "test:\n")];
    assert_eq!(command(&files).unwrap(), "make test");
}

#[test]
fn files_that_are_not_text_do_no_harm() {
    let mut read =
        |name: &str| (name == "Makefile" || name == "package.json").then(|| vec![0xff, 0, b':']);
    assert_eq!(detect_test_command(&mut read), None);
}

//! Small real projects with their real test runners: what the driver works on.

use super::Sandbox;

/// A project whose function `double` can be right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Project {
    /// A crate, tested by `cargo test`.
    Rust,
    /// A package, tested by `python3 -m unittest`.
    Python,
    /// A package, tested by `node --test`.
    Node,
}

impl Project {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rust, Self::Python, Self::Node];

    /// A repository with the project in it, committed, its tests green: `double` is right for
    /// 0 and 2, `triple` is missing.
    pub fn sandbox(self) -> Sandbox {
        let sandbox = Sandbox::repo();
        match self {
            Self::Rust => {
                sandbox.write(
                    "Cargo.toml",
                    "[package]\nname = \"little\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
                );
                sandbox.write(".gitignore", "/target\n");
            }
            Self::Python => {
                sandbox.write("little/__init__.py", "");
                sandbox.write("tests/__init__.py", "");
                sandbox.write(".gitignore", "__pycache__/\n");
            }
            Self::Node => {
                sandbox.write(
                    "package.json",
                    "{\"name\": \"little\", \"version\": \"0.1.0\", \"scripts\": {\"test\": \"node --test\"}}\n",
                );
            }
        }
        self.write_code(&sandbox, Code::SumOfItself);
        self.write_tests(&sandbox, &[(0, 0), (2, 4)]);
        sandbox.commit_all("begin");
        sandbox
    }

    /// The test command, as git config takes it.
    pub fn test_command(self) -> &'static str {
        match self {
            Self::Rust => "cargo test --offline",
            Self::Python => "python3 -m unittest",
            Self::Node => "node --test",
        }
    }

    /// Where the code lies, as a scope.
    pub fn scope(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["src/**", "tests/**", "Cargo.lock"],
            Self::Python => &["little/**", "tests/**"],
            Self::Node => &["little.js", "test/**"],
        }
    }

    /// Writes `double`.
    pub fn write_code(self, sandbox: &Sandbox, code: Code) {
        let (file, text) = self.code(code);
        sandbox.write(file, text);
    }

    /// Where `double` lies, and its text.
    pub fn code(self, code: Code) -> (&'static str, String) {
        let body = match code {
            Code::SumOfItself => "number + number",
            Code::Product => "number * 2",
            Code::Square => "number * number",
        };
        match self {
            Self::Rust => (
                "src/lib.rs",
                format!("pub fn double(number: i64) -> i64 {{\n    {body}\n}}\n"),
            ),
            Self::Python => (
                "little/__init__.py",
                format!("def double(number):\n    return {body}\n"),
            ),
            Self::Node => (
                "little.js",
                format!("exports.double = (number) => {body};\n"),
            ),
        }
    }

    /// Writes one test for each pair of number and double.
    pub fn write_tests(self, sandbox: &Sandbox, pairs: &[(i64, i64)]) {
        let (file, text) = self.tests(pairs);
        sandbox.write(file, text);
    }

    /// Where the tests lie, and their text.
    pub fn tests(self, pairs: &[(i64, i64)]) -> (&'static str, String) {
        let mut text = String::new();
        match self {
            Self::Rust => {
                for (number, double) in pairs {
                    text.push_str(&format!(
                        "#[test]\nfn double_of_{number}() {{\n    assert_eq!(little::double({number}), {double});\n}}\n"
                    ));
                }
                ("tests/double.rs", text)
            }
            Self::Python => {
                text.push_str("import unittest\nfrom little import double\n\nclass Double(unittest.TestCase):\n");
                for (number, double) in pairs {
                    text.push_str(&format!(
                        "    def test_double_of_{number}(self):\n        self.assertEqual(double({number}), {double})\n"
                    ));
                }
                ("tests/test_double.py", text)
            }
            Self::Node => {
                text.push_str(
                    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { double } = require('../little.js');\n",
                );
                for (number, double) in pairs {
                    text.push_str(&format!(
                        "test('double of {number}', () => assert.strictEqual(double({number}), {double}));\n"
                    ));
                }
                ("test/double.test.js", text)
            }
        }
    }
}

/// Ways to write `double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Right.
    SumOfItself,
    /// Right, in another shape.
    Product,
    /// Right for 0 and 2 only.
    Square,
}

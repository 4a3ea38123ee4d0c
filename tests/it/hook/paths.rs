//! Which paths are staged, and how they are named.

use super::kit::*;

#[test]
fn case_35_a_staged_deletion_stays_deleted() {
    let sandbox = new();
    sandbox.git(&["rm", "-q", "src/a"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
    assert!(!sandbox.path("src/a").exists());
}

#[test]
fn case_37_a_file_that_is_only_intended_is_not_part_and_is_not_touched() {
    let sandbox = new();
    sandbox.write("src/n", "keep\n");
    sandbox.git(&["add", "-N", "src/n"]);
    add(&sandbox, "src/a", "2");
    sandbox.git(&["add", "src/a"]);
    check(&sandbox);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1503", &["src/n"]);
    assert_eq!(sandbox.read("src/n"), "keep\n");
}

#[test]
fn case_39_both_sides_of_a_rename_are_judged() {
    let sandbox = guarded();
    let text: String = (1..100).map(|line| format!("{line}\n")).collect();
    sandbox.write("out/f", text);
    sandbox.commit_all("out");
    start(&sandbox, &["src/**"]);
    sandbox.git(&["mv", "out/f", "src/f"]);
    check(&sandbox);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1501", &["out/f"]);
}

#[test]
fn case_41_a_link_that_became_a_file_is_seen() {
    let sandbox = guarded();
    std::os::unix::fs::symlink("/etc/hosts", sandbox.path("l")).unwrap();
    sandbox.commit_all("link");
    start(&sandbox, &["src/**"]);
    sandbox.remove("l");
    sandbox.write("l", "s\n");
    sandbox.git(&["add", "l"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1501", &["l"]);
}

#[test]
fn case_43_a_mode_is_a_change() {
    let sandbox = new();
    sandbox.git(&["update-index", "--chmod=+x", "README"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1501", &["README"]);
    sandbox.git(&["update-index", "--chmod=-x", "README"]);
    sandbox.write_program("src/a", "one\n");
    sandbox.git(&["add", "src/a"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1502", &[]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
}

#[test]
fn case_44_a_submodule_is_a_path_like_any_other() {
    let sandbox = guarded();
    sandbox.git(&["clone", "-q", ".", "../sm"]);
    start(&sandbox, &["src/**"]);
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        "../sm",
        "src/sm",
    ]);
    refuses(
        &sandbox,
        &["commit", "-qm", "m"],
        "RAPID1501",
        &[".gitmodules"],
    );
    let sandbox = guarded();
    sandbox.git(&["clone", "-q", ".", "../sm"]);
    start(&sandbox, &["src/**", ".gitmodules"]);
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        "../sm",
        "src/sm",
    ]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
}

#[test]
fn case_47_names_of_any_letters_are_taken_as_they_are() {
    let sandbox = new();
    sandbox.write("src/KO é.json", "x\n");
    sandbox.write("src/привет", "x\n");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
    sandbox.write("KO é.json", "x\n");
    sandbox.git(&["add", "-A"]);
    refuses(
        &sandbox,
        &["commit", "-qm", "m"],
        "RAPID1501",
        &["KO é.json"],
    );
}

#[test]
fn what_a_flag_hides_cannot_be_compared() {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    sandbox.git(&["update-index", "--assume-unchanged", "src/a"]);
    add(&sandbox, "src/a", "hidden");
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1507", &["src/a"]);
}

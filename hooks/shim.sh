#!/bin/sh
# git-rapid hook: written by 'git rapid init', taken away by 'git rapid init --uninstall'.
# What lay here before is '@HOOK@.before-rapid' beside it; it runs first.
hook=@HOOK@
program=@PROGRAM@
before=$0.before-rapid

# Whoever reads the list of rewritten commits gets all of it.
input=
[ "$hook" != post-rewrite ] || input=$(cat)
give() {
    if [ -n "$input" ]; then printf '%s\n' "$input" | "$@"; else "$@"; fi
}
former() {
    # husky's hooks ask for their own name, so they are read under it.
    if [ -f "${0%/*}/h" ]; then (. "$before"); else "$before" "$@"; fi
}
if [ -f "$before" ] && [ -x "$before" ]; then
    give former "$@" || exit
fi

# Does anything here concern us? Decided without starting a program.
dir=${GIT_DIR:-.git}
if [ -f "$dir" ]; then
    IFS= read -r dir <"$dir"
    dir=${dir#gitdir: }
fi
common=$dir
if [ -f "$dir/commondir" ]; then
    IFS= read -r common <"$dir/commondir"
    case $common in /*) ;; *) common=$dir/$common ;; esac
fi
if [ ! -f "$dir/rapid/session.json" ] && [ ! -d "$common/refs/rapid" ] &&
    [ ! -d "$common/reftable" ]; then
    grep -qs ' refs/rapid/' "$common/packed-refs" || exit 0
fi
if [ "$hook" = post-commit ] && { [ -d "$dir/rebase-merge" ] || [ -d "$dir/rebase-apply" ]; }; then
    exit 0 # post-rewrite tells of all of them at once
fi

[ -x "$program" ] || program=$(command -v git-rapid) || program=
if [ -n "$program" ]; then
    give "$program" hook "$hook" "$@"
    code=$?
    case $code in 0 | 1) exit $code ;; esac
else
    code=4
    echo "git-rapid: the program is not there any more, so this $hook hook cannot judge." >&2
    echo "  install it again and run: git rapid init    (or: rm '$0')" >&2
fi

# It failed: that is no refusal, but while a run is bound here nothing passes unjudged.
session=
[ ! -f "$dir/rapid/session.json" ] || IFS= read -r session <"$dir/rapid/session.json"
case $session in *'"run":{'*) exit $code ;; esac
exit 0

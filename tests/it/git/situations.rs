//! Repository situations whose snapshot git itself can compute, one row each.
//!
//! A script runs with `sh -e` in a fresh repository. Rows with `left_out` name what a
//! snapshot does not take though `git add -A` does.

pub struct Situation {
    pub name: &'static str,
    pub script: &'static str,
    pub left_out: &'static [&'static [u8]],
}

const fn row(name: &'static str, script: &'static str) -> Situation {
    Situation {
        name,
        script,
        left_out: &[],
    }
}

const fn without(
    name: &'static str,
    script: &'static str,
    left_out: &'static [&'static [u8]],
) -> Situation {
    Situation {
        name,
        script,
        left_out,
    }
}

macro_rules! base {
    ($more:literal) => {
        concat!(
            "mkdir -p src/deep docs; echo one >src/a; echo two >src/deep/b; echo three >docs/c; ",
            "echo four >top; git add -A; git commit -qm base; ",
            $more
        )
    };
}

#[rustfmt::skip]
pub const SITUATIONS: &[Situation] = &[
    row("empty repository", ":"),
    row("unborn with files", "mkdir d; echo 1 >d/a; echo 2 >b"),
    row("unborn with staged files", "echo 1 >a; git add a; echo 2 >a; echo 3 >b"),
    row("no index file", base!("rm .git/index")),
    row("clean", base!(":")),
    row("clean and not racy", base!("sleep 1.1; git update-index --really-refresh; touch -d '2 seconds ago' top; git status >/dev/null")),
    row("edited", base!("echo more >>src/a")),
    row("edited deep", base!("echo more >>src/deep/b; echo more >>top")),
    row("touched only", base!("touch -d '2001-01-01' src/a top")),
    row("staged, then edited again", base!("echo 1 >src/a; git add src/a; echo 2 >src/a")),
    row("staged, then put back", base!("echo 1 >src/a; git add src/a; echo one >src/a")),
    row("staged only", base!("echo 1 >src/a; echo n >src/new; git add -A")),
    row("same size in the same second", base!("printf 01 >r; git add r; printf 10 >r")),
    row("same size, time put back", base!("printf 01 >r; touch -d '2001-01-01' r; git add r; printf 10 >r; touch -d '2001-01-01' r")),
    row("racy entry that git smudged", base!("printf 01 >r; git add r; printf 10 >r; echo x >y; git add y")),
    row("deleted", base!("rm src/a")),
    row("deleted folder", base!("rm -r src")),
    row("all deleted", base!("rm -r src docs top")),
    row("deleted from the index only", base!("git rm -q --cached src/a")),
    row("deleted and recreated", base!("git rm -q src/a; mkdir -p src; echo again >src/a")),
    row("staged, then deleted", base!("echo n >n; git add n; rm n")),
    row("exec bit set", base!("chmod +x src/a")),
    row("exec bit cleared", base!("chmod +x src/a; git add src/a; git commit -qm x; chmod -x src/a")),
    row("exec bit in the index only", base!("git update-index --chmod=+x src/a")),
    row("exec bit of a new file", base!("echo n >n; chmod +x n")),
    row("fileMode off", base!("git config core.fileMode false; chmod +x src/a; echo n >n; chmod +x n")),
    row("fileMode off, bit in the index", base!("git update-index --chmod=+x src/a; git config core.fileMode false; echo 2 >src/a; echo 3 >top")),
    row("group and other bits", base!("chmod 0711 src/a; chmod 0604 top")),
    row("new files", base!("echo n >src/n; mkdir new; echo n >new/n; echo e >.hidden")),
    row("empty file and empty folder", base!(": >empty; mkdir nothing; mkdir -p a/b/c")),
    row("intent to add", base!("echo n >src/n; git add -N src/n")),
    row("intent to add, empty", base!(": >src/n; git add -N src/n")),
    row("intent to add, then gone", base!("echo n >src/n; git add -N src/n; rm src/n")),
    row("intent to add in a new folder", base!("mkdir q; echo n >q/n; git add -N q/n; echo 2 >src/a")),
    row("symlink added", base!("ln -s src/a link; ln -s nowhere dangling")),
    row("symlink changed", base!("ln -s a l; git add l; git commit -qm l; rm l; ln -s b l")),
    row("symlink of the same length", base!("ln -s a l; git add l; rm l; ln -s b l")),
    row("symlink to a folder", base!("ln -s src way")),
    row("symlink becomes a file", base!("ln -s top l; git add l; git commit -qm l; rm l; echo four >l")),
    row("file becomes a symlink", base!("rm src/a; ln -s ../top src/a")),
    row("folder becomes a symlink", base!("mv src real; ln -s real src")),
    row("folder becomes a symlink outside", base!("mv src ../home/real; ln -s ../home/real src")),
    row("core.symlinks off", base!("ln -s target l; git add l; git commit -qm l; git config core.symlinks false; rm l; printf other >l")),
    row("core.symlinks off, unchanged text", base!("ln -s target l; git add l; git commit -qm l; git config core.symlinks false; rm l; printf target >l")),
    row("file becomes a folder", base!("rm top; mkdir top; echo in >top/in; echo x >top.x; echo y >top-y")),
    row("file becomes an empty folder", base!("rm top; mkdir top")),
    row("folder becomes a file", base!("rm -r src; echo file >src")),
    row("names around a slash", base!("mkdir a; echo 1 >a/b; echo 2 >a.b; echo 3 >a-b; echo 4 >a0; git add -A; echo 5 >a/c; echo 6 >a.c")),
    row("renamed", base!("git mv src/a src/z; mv docs/c docs/d")),
    row("renamed by case", base!("git mv src/a src/A")),
    row("renamed by case on disk", base!("mv src/a src/A")),
    row("renamed by case, ignoreCase", base!("git config core.ignoreCase true; mv src/a src/A; echo n >src/N; mv docs DOCS")),
    row("both cases, ignoreCase", base!("git config core.ignoreCase true; echo 2 >src/A; echo 3 >TOP")),
    row("odd names", base!("echo 1 >'with space'; echo 2 >'tab\there'; printf 3 >\"$(printf 'new\\nline')\"; echo 4 >'ümlaut'; echo 5 >'\"quoted\"'; echo 6 >'*?[x]'; echo 7 >-dash; echo 8 >:colon")),
    row("names that are not UTF-8", base!("printf x >\"$(printf 'lat\\351')\"; mkdir \"$(printf 'd\\377')\"; printf y >\"$(printf 'd\\377/f\\200')\"; git add -A; printf z >\"$(printf 'd\\377/f\\200')\"; printf w >\"$(printf 'new\\376')\"")),
    row("composed and decomposed", base!("echo 1 >\"$(printf '\\303\\251')\"; echo 2 >\"$(printf 'e\\314\\201')\"")),
    row("ignored files", base!("printf '*.o\\n/build/\\n' >.gitignore; mkdir build; echo 1 >build/x; echo 2 >x.o; echo 3 >src/y.o; echo 4 >src/keep")),
    row("ignored but tracked", base!("echo '*.o' >.gitignore; echo 1 >t.o; git add -f t.o; git commit -qm o; echo 2 >t.o; echo 3 >u.o")),
    row("tracked in an ignored folder", base!("mkdir build; echo 1 >build/t; git add build; git commit -qm b; echo 'build/' >.gitignore; echo 2 >build/t; echo 3 >build/u; mkdir build/sub; echo 4 >build/sub/v")),
    row("negated ignore", base!("printf '*.log\\n!keep.log\\n' >.gitignore; echo 1 >a.log; echo 2 >keep.log; printf '!a.log\\n' >src/.gitignore; echo 3 >src/a.log")),
    row("negation below an ignored folder", base!("printf 'out/\\n!out/keep\\n' >.gitignore; mkdir out; echo 1 >out/keep; printf 'o2/*\\n!o2/keep\\n' >>.gitignore; mkdir o2; echo 2 >o2/keep; echo 3 >o2/not")),
    row("nested ignore files", base!("echo '/x' >src/.gitignore; echo 1 >src/x; echo 2 >x; mkdir src/deep/x; echo 3 >src/deep/x/y; echo '**/z' >.gitignore; echo 4 >src/deep/z")),
    row("ignore file deleted", base!("echo '*.o' >.gitignore; git add .gitignore; git commit -qm i; echo 1 >x.o; rm .gitignore")),
    row("ignore file is a symlink", base!("echo '*.o' >rules; ln -s rules .gitignore; echo 1 >x.o")),
    row("ignore everything", base!("echo '*' >.gitignore; echo 1 >x; echo 2 >src/a")),
    row("info/exclude", base!("echo 'secret*' >>.git/info/exclude; echo 1 >secret1; mkdir secret2; echo 2 >secret2/x; echo 3 >seen")),
    row("core.excludesFile", base!("echo '*.tmp' >../home/ex; git config core.excludesFile \"$HOME/ex\"; echo 1 >x.tmp; echo 2 >y")),
    row("ignore rules, ignoreCase", base!("git config core.ignoreCase true; echo '*.TMP' >.gitignore; echo 1 >x.tmp")),
    row("pipes and sockets", base!("mkfifo pipe src/pipe; echo n >n")),
    row("autocrlf on", base!("git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >w; printf 'x\\ny\\n' >v; printf 'a\\r\\nb\\n' >mixed; printf 'a\\r\\n\\0' >bin; printf 'four\\r\\n' >top")),
    row("autocrlf on, CRLF in the index", base!("printf 'a\\r\\n' >w; git add w; git commit -qm w; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >w")),
    row("autocrlf input", base!("git config core.autocrlf input; printf 'a\\r\\nb\\r\\n' >w; printf 'lone\\rcr\\r\\n' >v")),
    row("safecrlf", base!("git config core.autocrlf input; git config core.safecrlf warn; printf 'a\\r\\nb\\n' >w")),
    row("text eol=lf", base!("echo '* text eol=lf' >.gitattributes; git add .gitattributes; git commit -qm a; printf 'a\\r\\n' >src/a; printf 'b\\r\\n' >new")),
    row("text eol=crlf", base!("echo '*.bat text eol=crlf' >.gitattributes; printf 'a\\r\\nb\\r\\n' >x.bat; printf 'a\\r\\n' >y")),
    row("text=auto", base!("echo '* text=auto' >.gitattributes; printf 'a\\r\\n' >src/a; printf 'a\\r\\n\\0' >b; printf 'a\\r\\n' >w; git add w; printf 'b\\r\\n' >w")),
    row("binary and -text", base!("printf '*.x binary\\n*.y -text\\n* text\\n*.z -text\\n' >.gitattributes; for e in x y z t; do printf 'a\\r\\n' >f.$e; done")),
    row("crlf attributes of old", base!("printf '*.a crlf\\n*.b -crlf\\n*.c crlf=input\\n' >.gitattributes; for e in a b c; do printf 'a\\r\\n' >f.$e; done")),
    row("attributes in folders and info", base!("echo 'a text' >src/.gitattributes; echo 'top text' >.git/info/attributes; printf '1\\r\\n' >src/a; printf '2\\r\\n' >top; printf '3\\r\\n' >docs/c")),
    row("attribute macros", base!("printf '[attr]win text eol=crlf\\n*.w win\\n' >.gitattributes; printf 'x\\r\\n' >n.w; printf 'x\\r\\n' >n.v")),
    row("global attributes file", base!("echo '*.g text' >../home/attrs; git config core.attributesFile \"$HOME/attrs\"; printf 'x\\r\\n' >n.g")),
    row("changed attributes, untouched files", base!("printf 'x\\r\\n' >n; git add n; git commit -qm n; sleep 1.1; git update-index --refresh; echo '* text' >.gitattributes")),
    row("ident", base!("echo '*.i ident' >.gitattributes; echo '$Id: 0123456789012345678901234567890123456789 $ x' >n.i; echo '$Id$' >m.i")),
    row("working-tree-encoding", base!("echo '*.u working-tree-encoding=UTF-16LE-BOM text' >.gitattributes; printf '\\377\\376a\\0\\n\\0' >n.u")),
    row("clean filter", base!("echo '*.up filter=up' >.gitattributes; git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'; echo hello >x.up; mkdir f; echo world >f/y.up; git add f; echo again >f/y.up")),
    row("clean filter with the path", base!("echo '*.up filter=up' >.gitattributes; git config filter.up.clean 'cat; echo path %f'; echo hello >x.up; echo s >'src/a b.up'")),
    row("clean filter that runs at the root", base!("echo '*.up filter=up' >.gitattributes; echo seed >seed; git config filter.up.clean 'cat; cat seed'; echo hello >src/x.up")),
    row("clean filter and eol", base!("echo '*.up filter=up text' >.gitattributes; git config filter.up.clean 'sed s/a/b/'; printf 'aaa\\r\\n' >x.up")),
    row("clean filter that fails, not required", base!("echo '*.up filter=up' >.gitattributes; git config filter.up.clean 'cat >/dev/null; exit 3'; echo hello >x.up")),
    row("clean filter that is missing", base!("echo '*.up filter=nope' >.gitattributes; echo hello >x.up")),
    row("clean filter, required", base!("echo '*.up filter=up' >.gitattributes; git config filter.up.required true; git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge cat; echo hello >x.up")),
    row("process filter", base!(r#"cat >../home/filter.sh <<'EOS'
#!/usr/bin/env perl
use strict; binmode STDIN; binmode STDOUT; $| = 1;
sub get { my $h; return undef if read(STDIN, $h, 4) != 4; my $n = hex $h; return '' if $n == 0; my $d; read(STDIN, $d, $n - 4); return $d; }
sub put { printf "%04x%s", length($_[0]) + 4, $_[0]; }
sub flush { print "0000"; }
while ((my $l = get()) ne '') {} put("git-filter-server\n"); put("version=2\n"); flush();
while ((my $l = get()) ne '') {} put("capability=clean\n"); put("capability=smudge\n"); flush();
while (1) { my $any = 0; my $cmd = '';
  while (1) { my $l = get(); exit 0 unless defined $l; last if $l eq ''; $cmd = $1 if $l =~ /^command=(.*)\n/; $any = 1; }
  my $data = ''; while ((my $d = get()) ne '') { $data .= $d; }
  put("status=success\n"); flush(); put(uc $data) if length $data; flush(); flush(); }
EOS
chmod +x ../home/filter.sh; git config filter.p.process "$HOME/filter.sh"; echo '*.p filter=p' >.gitattributes; for i in 1 2 3; do echo text$i >n$i.p; done; : >empty.p"#)),
    row("index version 3", base!("echo n >n; git add -N n; git update-index --index-version 3; echo 2 >src/a")),
    row("index version 4", base!("git update-index --index-version 4; echo 2 >src/a; echo n >src/n")),
    row("index without checksum", base!("git config index.skipHash true; git update-index --force-write-index; echo 2 >src/a")),
    row("many files", base!("git config feature.manyFiles true; git update-index --index-version 4 --force-write-index; echo 2 >src/a; echo n >src/n")),
    row("split index", base!("git update-index --split-index; echo 2 >src/a; git add src/a; rm docs/c; echo n >n; git add n; echo 3 >n")),
    row("split index, replaced and removed", base!("git config splitIndex.maxPercentChange 100; git update-index --split-index; git rm -q docs/c; echo 5 >top; git add top; echo z >zz")),
    row("untracked cache", base!("git update-index --force-untracked-cache; git status >/dev/null; echo n >src/n")),
    row("checkStat minimal", base!("git config core.checkStat minimal; echo 2 >src/a; cp top t2; mv t2 top")),
    row("trustctime off", base!("git config core.trustCTime false; chmod +x top; chmod -x top; echo 2 >src/a")),
    row("cache tree after a partial add", base!("echo 1 >src/n1; git add src/n1; git write-tree >/dev/null; echo 2 >docs/n2; git add docs/n2; echo 3 >src/deep/b")),
    row("cache tree without its objects", base!("echo 1 >src/n1; git add -A; t=$(git write-tree); o=.git/objects; rm -f $o/$(echo $t | cut -c1-2)/$(echo $t | cut -c3-); echo 9 >docs/z")),
    row("skip-worktree, absent", base!("git update-index --skip-worktree docs/c; rm docs/c; echo 2 >src/a")),
    row("skip-worktree, the same", base!("git update-index --skip-worktree docs/c; echo 2 >src/a")),
    row("assume-unchanged, the same", base!("git update-index --assume-unchanged docs/c; touch -d '2001-01-01' docs/c; echo 2 >src/a")),
    row("sparse checkout", base!("git sparse-checkout set --no-sparse-index src; echo 2 >src/a; echo n >src/n; rm src/deep/b")),
    row("sparse checkout without cone", base!("git sparse-checkout set --no-cone '/src/' '!/src/deep/'; echo 2 >src/a; echo n >src/n")),
    row("sparse index", base!("mkdir -p docs/more; echo m >docs/more/m; git add -A; git commit -qm m; git sparse-checkout set --sparse-index src; echo 2 >src/a; echo n >src/n; echo t >t")),
    row("sparse checkout, new file outside", base!("git sparse-checkout set --no-sparse-index src; mkdir -p docs/in; echo n >docs/in/n; echo 2 >src/a")),
    row("submodule", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub mod 2>/dev/null; git commit -qm sub; echo 2 >src/a")),
    row("submodule moved on", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub src/mod 2>/dev/null; git commit -qm sub; git -C src/mod commit -q --allow-empty -m more")),
    row("submodule just added", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub mod 2>/dev/null")),
    row("submodule that is not checked out", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub mod 2>/dev/null; git commit -qm sub; git submodule --quiet deinit -f mod >/dev/null; echo stray >mod/stray")),
    row("submodule deleted", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub mod 2>/dev/null; git commit -qm sub; rm -rf mod")),
    row("submodule becomes a file", base!("git init -q ../home/sub; git -C ../home/sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../home/sub mod 2>/dev/null; git commit -qm sub; rm -rf mod; echo file >mod")),
    row("file becomes a repository", base!("rm top; git init -q top; git -C top commit -q --allow-empty -m s")),
    without("embedded repository", base!("git init -q emb; echo x >emb/x; git -C emb add x; git -C emb commit -qm e; echo 2 >src/a"), &[b"emb"]),
    without("embedded repository without commit", base!("git init -q emb; echo x >emb/x; echo 2 >src/a"), &[b"emb"]),
    row("embedded bare repository", base!("git init -q --bare bare.git; echo 2 >src/a")),
    row("ignored embedded repository", base!("git init -q emb; echo emb >.gitignore")),
    row("not a repository: empty .git", base!("mkdir -p emb/.git; echo x >emb/x")),
    row("tracked folder becomes a repository", base!("git init -q src; echo 2 >src/a; echo n >src/n")),
    row("linked worktree beside", base!("git worktree add -q ../home/w; echo 2 >src/a")),
    without("worktree inside", base!("git worktree add -q inside; echo 2 >src/a"), &[b"inside"]),
    row("detached and packed", base!("git checkout -q --detach; git gc -q; echo 2 >src/a")),
    row("large file", base!("head -c 6000000 /dev/zero >big; git add big; git commit -qm big; printf x >>big; head -c 5000000 /dev/zero >big2")),
    row("deep folders", base!("d=a/b/c/d/e/f/g/h; mkdir -p $d; echo 1 >$d/x; git add -A; git commit -qm d; echo 2 >$d/x; echo 3 >a/b/c/y")),
    row("merge going on, resolved", base!("git checkout -qb o; echo o >src/a; git commit -qam o; git checkout -q main; echo m >src/a; git commit -qam m; git merge o >/dev/null 2>&1 || true; echo r >src/a; git add src/a; echo 2 >top")),
    without("droppings", base!("echo 1 >.DS_Store; echo 2 >src/x~; echo 3 >src/.a.swp; mkdir src/__pycache__; echo 4 >src/__pycache__/m.pyc; echo 5 >'.#lock'; echo 6 >4913; echo 7 >swp; mkdir 'd~'; echo 8 >'d~/in'"), &[b".DS_Store", b"src/x~", b"src/.a.swp", b"src/__pycache__", b".#lock", b"4913"]),
    row("tracked droppings", base!("echo 1 >x~; mkdir __pycache__; echo 2 >__pycache__/m.pyc; git add -f x~ __pycache__; git commit -qm d; echo 3 >x~; echo 4 >__pycache__/m.pyc")),
];

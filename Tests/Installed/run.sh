#!/bin/bash
# run.sh STICKERD: what `make install` adds to the program: manual pages, as two readers see them, and completions in real
# shells; and that `make uninstall` leaves nothing of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
share=$root/usr/share
passed=0 failed=0
fail() { printf 'FAILED: %s\n' "$*"; failed=$((failed + 1)); }
began=$(date +%s)

make="make --no-print-directory --silent DESTDIR=$root PREFIX=/usr PROGRAM=$program"
(umask 077 && SOURCE_DATE_EPOCH=0 $make install-files)
closed=$(find "$root/usr" ! -type d ! -perm -444 -o -type d ! -perm -555)
[ -z "$closed" ] || fail "not for all users, because of the umask: $closed"

# mandoc finds pages that refer to each other by its own database.
makewhatis "$share/man" 2> /dev/null
for page in "$share"/man/man?/*; do
    warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 > /dev/null
        MANPATH=$share/man mandoc -T lint -W style "$page" || :)
    [ -z "$warnings" ] && passed=$((passed + 1)) || fail "$warnings"
    grep -q '^.Dd January 1, 1970$' "$page" || fail "$page: its date is not SOURCE_DATE_EPOCH"
    grep -q '^.Sh EXAMPLES$' "$page" || fail "$page: Docs/examples.txt has no example for it"
done
rm "$share/man/mandoc.db"
commands=$("$program" --experimental-dump-help | jq -r '.command.subcommands[] | select(.shouldDisplay and .commandName != "help").commandName')
diff <(echo "$commands" | sort) <(cd "$share/man/man1" && ls stickerd-* | sed 's/stickerd-\(.*\)\.1/\1/' | sort) || fail 'pages and commands differ'
TZ=Asia/Tokyo LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 SOURCE_DATE_EPOCH=0 Docs/manual.py "$program" "$root/again"
diff -r "$root/again" "$share/man" || fail 'the pages are not reproducible'

# The options in the examples exist, and the one that needs no photos works.
while read -r command options; do
    for option in $(grep -oE -- '--[a-z]+' <<< "$options" || :); do
        "$program" help "$command" | grep -qe "$option" || fail "an example has $command $option"
    done
done < <(sed -nE 's/^    (.*[| ])?stickerd ([a-z-]+)/\2/p' Docs/examples.txt)
printf '{"stickers": [{"file": "b.png"}]}' > "$root/page.json"
printf '{"pages": [{"file": "page.json"}]}' > "$root/pack.json"
[ "$(cd "$root" && sh -c "$(sed -nE 's/^    (jq -r .*)/\1/p' "$OLDPWD/Docs/examples.txt")")" = b.png ] || fail 'the example of stickerd-pack(5)'
rm -r "$root"/{again,pack.json,page.json}

Tests/Installed/completions.py "$share" || fail 'completions'
$make uninstall
[ -z "$(find "$root" -type f)" ] || fail "left: $(find "$root" -type f)"
echo "pages: $passed passed, $failed failed in $(($(date +%s) - began))s"
[ $failed = 0 ]

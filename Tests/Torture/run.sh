#!/bin/sh
# run.sh short|long [STICKERD [PART]]: runs everything in this folder, or one part, and prints a line of figures for each. The
# short form takes minutes, the long one hours. After an interruption, the long form continues with the interrupted part,
# if program and tests are unchanged. TORTURE_SEED repeats random choices, TORTURE_VERBOSE shows progress, TORTURE_PARALLEL is
# the number of rounds at a time. PYTHONPATH=Tests/Harness python3 Tests/Torture/NAME.py STICKERD runs a single part.
set -eu
cd "$(dirname "$0")/../.."
form=${1:?short or long}
stickerd=${2:-$PWD/.build/release/stickerd}
only=${3:-}
case $form in short | long) ;; *) echo "run.sh short|long [STICKERD]" >&2; exit 64 ;; esac
for tool in python3 cc cjpeg; do
    command -v $tool > /dev/null || { echo "torture: $tool is missing: make setup" >&2; exit 1; }
done
[ -x "$stickerd" ] || { echo "torture: no $stickerd: make build" >&2; exit 1; }
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=Tests/Harness
status=0
folder=Tests/Torture
inputs=$(cat "$stickerd" $folder/*.* Tests/Harness/*.* | sha256sum | cut -c 1-16)
passed=.build/torture/$inputs
mkdir -p "$passed"

# part COMMAND...: runs it, unless it has passed in an interrupted long run; shows its figures.
part() {
    [ -z "$only" ] || [ "$2" = "$folder/$only.py" ] || return 0
    figures=$passed/$(printf '%s' "$form $*" | sed "s|$stickerd|stickerd|; s|[^a-z0-9.]|-|g")
    if [ "$form" = long ] && [ -f "$figures" ]; then
        sed 's/$/ (before the interruption)/' "$figures"
    elif "$@" > "$figures.part"; then
        mv "$figures.part" "$figures"
        cat "$figures"
    else
        cat "$figures.part"
        echo "FAILED: $*" >&2
        status=1
    fi
}

for name in selfcheck crash exports faults library power; do
    part python3 $folder/$name.py "$stickerd" "$form"
done
part python3 $folder/hostile.py "$stickerd"
part python3 $folder/flood.py "$stickerd" 1000
part python3 $folder/soak.py "$stickerd" --photos 600 --minutes 0.5
# The same operations each time: new ones belong to the long form.
part python3 $folder/stress.py "$stickerd" --seconds 30 --seed "${TORTURE_SEED:-501}"
if [ "$form" = long ]; then
    part python3 $folder/planted.py "$stickerd"
    part python3 $folder/stress.py "$stickerd" --seconds 3600
    part python3 $folder/flood.py "$stickerd" 100000
    part python3 $folder/soak.py "$stickerd" --photos 50000 --minutes 30
    part python3 $folder/soak.py "$stickerd" --photos 10000 --minutes 6 --originals archive
    for mode in keep archive delete; do
        part python3 $folder/kills.py "$stickerd" $mode
    done
fi
exit $status

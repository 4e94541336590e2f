#!/bin/sh
# run.sh short|long [STICKERD]: everything in this folder, and a line of figures for each part. The short form takes less
# than five minutes, the long one hours. TORTURE_SEED repeats what was drawn by chance, TORTURE_VERBOSE tells how far it is.
set -eu
cd "$(dirname "$0")/../.."
form=${1:?short or long}
stickerd=${2:-$PWD/.build/release/stickerd}
case $form in short | long) ;; *) echo "run.sh short|long [STICKERD]" >&2; exit 64 ;; esac
for tool in python3 cc; do
    command -v $tool > /dev/null || { echo "torture: $tool is missing: make setup" >&2; exit 1; }
done
[ -x "$stickerd" ] || { echo "torture: no $stickerd: make build" >&2; exit 1; }
export PYTHONDONTWRITEBYTECODE=1
status=0
for part in selfcheck crash faults library power; do
    python3 "Tests/Torture/$part.py" "$stickerd" "$form" || { echo "FAILED: Tests/Torture/$part.py" >&2; status=1; }
done
flood() { python3 Tests/Torture/flood.py "$stickerd" "$@" || { echo "FAILED: Tests/Torture/flood.py $*" >&2; status=1; }; }
soak() { python3 Tests/Torture/soak.py "$stickerd" "$@" || { echo "FAILED: Tests/Torture/soak.py $*" >&2; status=1; }; }
python3 Tests/Torture/hostile.py "$stickerd" || { echo 'FAILED: Tests/Torture/hostile.py' >&2; status=1; }
flood 1000
soak --photos 600 --minutes 0.5
if [ "$form" = long ]; then
    flood 100000
    soak --photos 50000 --minutes 30
    soak --photos 10000 --minutes 6 --originals archive
    for mode in keep archive delete; do
        STICKERD=$stickerd Tests/EndToEnd/torture.sh 30 $mode || { echo "FAILED: torture.sh 30 $mode" >&2; status=1; }
    done
fi
exit $status

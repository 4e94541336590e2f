#!/bin/sh
# run.sh [OPTIONS]: measures costs against size with the release build, and draws Docs/scale.svg and Docs/workers.svg. The
# options are those of scale.py.
set -eu
here=$(dirname "$(readlink -f "$0")")
built=$here/../../.build/release
[ -x "$built/scale" ] || { echo "scale: no $built/scale: make build" >&2; exit 1; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/scale.py" "$built/stickerd" "$built/scale" --plots "$here/../../Docs" "$@"

#!/bin/sh
# Restores next to the running server, as restore.sh does, and serves this copy for an hour: to check it, or to look something up. The copy archives
# nothing. Words are for Postgres.
set -eu
copy=${RESTORED:-/restored}
restore.sh --pg1-path="$copy" --archive-mode=off
exec timeout --signal=INT "${RESTORED_SECONDS:-3600}" postgres -D "$copy" "$@"

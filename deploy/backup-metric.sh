#!/bin/sh
# Gives node_exporter the time of the last backup; does nothing on a machine without it.
set -eu
umask 022
folder=${1:-/var/lib/prometheus/node-exporter}
[ -d "$folder" ] || exit 0
cat >"$folder/launching-soon.prom.part" <<END
# HELP leads_backup_last_success_timestamp_seconds When the last backup was made.
# TYPE leads_backup_last_success_timestamp_seconds gauge
leads_backup_last_success_timestamp_seconds $(date +%s)
END
mv "$folder/launching-soon.prom.part" "$folder/launching-soon.prom"

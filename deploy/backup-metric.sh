#!/bin/sh
# Tells node_exporter how the last backup ended, by $SERVICE_RESULT; does nothing on a machine without it.
set -eu
umask 022
folder=${1:-/var/lib/prometheus/node-exporter}
[ -d "$folder" ] || exit 0

write() { # NAME HELP VALUE
  printf '# HELP %s %s\n# TYPE %s gauge\n%s %s\n' "$1" "$2" "$1" "$1" "$3" >"$folder/$1.prom.part"
  mv "$folder/$1.prom.part" "$folder/$1.prom"
}

failed=1
if [ "$SERVICE_RESULT" = success ]; then
  failed=0
  write leads_backup_last_success_timestamp_seconds 'When the last backup was made.' "$(date +%s)"
fi
write leads_backup_last_failed '1 if the last backup failed, else 0.' "$failed"

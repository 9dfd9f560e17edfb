#!/bin/sh
# Tells node_exporter of a nightly task such as backup-30d: that its timer is enabled, disabled, or, by $SERVICE_RESULT, how
# it ended. Does nothing on a machine without node_exporter: task-metric.sh enabled|disabled|ended TASK
set -eu
umask 022
folder=${METRICS_FOLDER:-/var/lib/prometheus/node-exporter} task=$2
[ -d "$folder" ] || exit 0

write() { # NAME VALUE HELP, which has to be the same for all tasks
  printf '# HELP %s %s\n# TYPE %s gauge\n%s{task="%s"} %s\n' "$1" "$3" "$1" "$1" "$task" "$2" >"$folder/$1-$task.part"
  mv "$folder/$1-$task.part" "$folder/$1-$task.prom"
}

case $1 in
  enabled) write leads_task_enabled 1 'Whether the timer of the task is enabled.' ;;
  disabled) rm -f "$folder/leads_task_enabled-$task.prom" ;;
  *)
    failed=1
    if [ "$SERVICE_RESULT" = success ]; then
      failed=0
      write leads_task_last_success_timestamp_seconds "$(date +%s)" 'When the task last succeeded.'
    fi
    write leads_task_last_failed "$failed" '1 if the task failed the last time, else 0.'
    ;;
esac

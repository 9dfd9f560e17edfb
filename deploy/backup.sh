#!/bin/sh
# Makes a backup of a SQLite file in a folder, and then deletes backups there that are older than a time like 30d, but
# never the newest seven that hold leads, because a clock may be wrong: backup.sh FOLDER TIME
set -eu
umask 077
folder=$1 days=${2%d}
case $2 in [0-9]*d) ;; *) days=none ;; esac
case $days in *[!0-9]*) echo "Not days, for example 30d: $2" >&2 && exit 2 ;; esac
leads=$(dirname -- "$(readlink -f -- "$0")")/../bin/leads
"$leads" backup "$folder/leads-$(date -u +%Y-%m-%dT%H%M%SZ).db"

holds_leads() { DATABASE_URL="sqlite:$folder/$1" "$leads" stats 2>/dev/null | grep '^total ' | grep -q '[1-9]'; }

cd "$folder"
kept=0
ls -t | grep '^leads-.*\.db$' | while read -r backup; do
  if [ "$kept" -lt 7 ] && holds_leads "$backup"; then kept=$((kept + 1)); continue; fi
  find "$backup" -mtime "+$days" -delete
done
# This deletes what killed backups left behind.
find . -maxdepth 1 -type f -name 'leads-*.db.*' -mtime "+$days" -delete

#!/bin/sh
# Makes a backup in a folder, and then deletes backups there that are older than DAYS: backup.sh FOLDER DAYS
set -eu
umask 077
folder=$1 days=$2
case $days in '' | *[!0-9]*) echo "Not a number of days: $days" >&2 && exit 2 ;; esac
backup=$folder/leads-$(date -u +%Y-%m-%dT%H%M%SZ).db
"$(dirname -- "$(readlink -f -- "$0")")/../bin/leads" backup "$backup"
# Also what a killed backup left behind.
find "$folder" -maxdepth 1 -type f -name 'leads-*.db*' -mtime "+$days" ! -path "$backup" -delete

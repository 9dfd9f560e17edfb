#!/bin/sh
# Installs the release that it is part of, updates to it, or goes back to it: install.sh HOST, as root on Debian 12. It may
# be run again at any time, and then applies new settings. README.md says the rest.
set -eu
umask 022
say() { printf '%s\n' "$*"; }
refuse() { say "install.sh: $*" >&2; exit 1; }
host=${1-} source=$(readlink -f -- "$(dirname -- "$0")/..")
opt=/opt/launching-soon release=/opt/launching-soon/releases/${source##*/} state=/var/lib/launching-soon
settings=/etc/launching-soon.env readers=/etc/launching-soon-leads.env site=/etc/nginx/conf.d/launching-soon.conf
[ "$(id -u)" = 0 ] && [ -d /run/systemd/system ] || refuse 'Run this as root, on Debian with systemd.'
grep -qF "\"https://$host/\"" "$source/dist/index.html" ||
  refuse "The page was not built for '$host': run install.sh HOST, without https://, by the PUBLIC_ORIGIN of make-release.sh."
dpkg -s nginx libatomic1 curl openssl >/dev/null 2>&1 ||
  problem=$(apt-get update -qq 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get install -qq nginx libatomic1 curl openssl 2>&1) ||
  refuse "apt-get could not: $(say "$problem" | grep -m 1 '^E:'). Install nginx, libatomic1, curl and openssl, and run this again."
printf 'g leads -\nu launching-soon -:leads "Launching soon" %s\n' $state | systemd-sysusers - 2>/dev/null

# Looks for faults before it changes anything that runs.
[ -e $settings ] || (umask 077 && printf "DATABASE_URL='sqlite:%s/leads.db'\nPUBLIC_ORIGIN='https://%s'\n" $state "$host" >$settings)
chown root:root $settings && chmod 600 $settings
cd "$source"
problem=$(env -i SETTINGS_FILE=$settings bin/node server/main.ts --check 2>&1) || refuse "$problem"
problem=$(grep -nE '^(HOST|PORT|METRICS_PORT|TRUST_PROXY)=' $settings | head -n 1)
[ -z "$problem" ] || refuse "Line ${problem%%:*} of $settings sets what launching-soon@.service sets: delete it."
grep -Eqx "PUBLIC_ORIGIN='?https://$host'?" $settings || refuse "$settings needs PUBLIC_ORIGIN='https://$host'."
grep -q '^DATABASE_URL=' $settings || refuse "$settings needs DATABASE_URL='sqlite:$state/leads.db'."
for port in 80 443 8081 18081; do
  [ ${port#1} != 8081 ] || ! systemctl is-active -q launching-soon@8081 || continue
  program=$(ss -Hltnp "sport = :$port" | sed -n 's/.*users:(("\([^"]*\).*/\1/p' | grep -vx nginx | head -n 1)
  [ -z "$program" ] || refuse "Port $port is in use by $program: stop $program."
done
if [ ! -e "$release" ]; then
  mkdir -p $opt/releases && rm -rf $opt/releases/.new
  cp -R --preserve=mode,timestamps "$source" $opt/releases/.new && mv $opt/releases/.new "$release"
fi
cmp -s dist/pages.json "$release/dist/pages.json" || refuse "$release is another build of this commit: make a new commit."
old_release=$(readlink $opt/current || true)
if grep -Eq "^DATABASE_URL='?sqlite:" $settings; then
  [ -e $readers ] || grep '^DATABASE_URL=' $settings >$readers
  install -d -o launching-soon -g leads -m 750 $state-backups
  [ -z "$old_release" ] || [ "$old_release" = "$release" ] || problem=$(SETTINGS_FILE=$readers "$old_release/bin/leads" backup "$state-backups/leads-$(date -u +%FT%H%M%S.%3NZ).db" 2>&1) ||
    refuse "Without a backup there is no update: $problem"
fi
[ ! -e $readers ] || { chown root:leads $readers && chmod 640 $readers; }
log() { # PORT: prints the last line of its log outside a stack trace
  journalctl -q -o cat -n 20 "_SYSTEMD_UNIT=launching-soon@$1.service" | grep -Ev '^([[:space:]}]|$|Node\.js v)' | tail -n 1
}
start() { # PORT: waits until it is ready: for a minute, longer while it migrates, but not for a second start
  half_seconds=0
  systemctl restart "launching-soon@$1" && restarts=$(systemctl show -P NRestarts "launching-soon@$1") || return 1
  until curl -fs -m 5 -o /dev/null "http://127.0.0.1:$1/readyz"; do
    sleep 0.5
    log "$1" | grep -q '^Migrating ' || half_seconds=$((half_seconds + 1))
    [ "$(systemctl show -P NRestarts "launching-soon@$1")" = "$restarts" ] && [ $half_seconds -lt 120 ] || return 1
  done
}
units() { # RELEASE
  cp -R "$1"/deploy/launching-* /etc/systemd/system/ && systemctl daemon-reload
}
switch() { # RELEASE: restarts its servers, one after the other
  ln -sfn "$1" $opt/current
  for port in 8081 8082; do
    systemctl is-enabled -q launching-soon@$port 2>/dev/null || continue
    # nginx tries a server again a second after it could not reach it.
    [ $port = 8081 ] || sleep 2
    start $port || { problem="Port $port: $(log $port)" && return 1; }
  done
}

# Starts a server of this release on a port without visitors: it migrates the tables. If it can't start, nothing changes.
problem='' trial=/run/systemd/system/launching-soon@8099.service.d
mkdir -p $trial
# If this script ends for any reason, such as a lost session, that server ends too.
trap 'systemctl stop launching-soon@8099; rm -rf $trial' EXIT
trap 'exit 1' HUP INT TERM
printf '[Service]\nWorkingDirectory=%s\nExecStart=\nExecStart=%s/bin/node server/main.ts\n' "$release" "$release" >$trial/release.conf
units "$release"
start 8099 || problem=$(log 8099)
systemctl stop launching-soon@8099 && rm -r $trial && trap - EXIT HUP INT TERM
[ -z "$problem" ] || { units "${old_release:-$release}" && refuse "$problem - Nothing that runs was changed."; }
certificate=/etc/letsencrypt/live/$host
[ -e "$certificate/fullchain.pem" ] || certificate=/etc/nginx/launching-soon
[ -e "$certificate/fullchain.pem" ] || { mkdir -p $certificate && openssl req -x509 -newkey rsa:2048 -nodes -days 3650 \
  -subj "/CN=$host" -keyout $certificate/privkey.pem -out $certificate/fullchain.pem 2>/dev/null; }
edit="s|/etc/letsencrypt/live/example\.com|$certificate|; s/example\.com/$host/g"
[ -e /proc/net/if_inet6 ] || edit="$edit; /listen \[::\]/d"
! systemctl is-enabled -q launching-soon@8082 2>/dev/null || edit="$edit; s/# \(server 127.0.0.1:8082\)/\1/"
old_site=$(cat $site 2>/dev/null || true)
sed "$edit" "$release/deploy/nginx.conf" >$site && rm -f /etc/nginx/sites-enabled/default
problem=$(nginx -q -t 2>&1) || { say "$old_site" >$site && units "${old_release:-$release}" &&
  refuse "nginx refuses its files: $(say "$problem" | grep -m 1 emerg) - Nothing that runs was changed."; }
systemctl enable -q launching-soon@8081
switch "$release" || {
  reason=$problem && { [ -z "$old_release" ] || { units "$old_release" && switch "$old_release" && refuse "$reason - Back on ${old_release##*/}."; }; }
  refuse "$reason"
}
# A reload ends connections, so it happens only if it is needed.
[ "$old_site" = "$(cat $site)" ] && systemctl is-active -q nginx || systemctl reload-or-restart nginx
# Puts every file into nginx's cache, for the restart of a server, and for visitors who still have this page open later.
urls=$(cd dist && printf "https://$host/%s\n" '' assets/* | grep -Ev '\.(br|gz)$')
for coding in br gzip identity; do
  curl -fsk --retry 3 --retry-all-errors --fail-early -H "Accept-Encoding: $coding" --resolve "$host:443:127.0.0.1" \
    $urls >/dev/null || refuse "The server runs, but nginx does not serve its page: see systemctl status nginx."
done
ln -sf $opt/current/bin/leads /usr/local/bin/leads
[ -n "$old_release" ] || systemctl enable -q --now launching-soon-nightly.timer
[ -z "$old_release" ] || [ "$old_release" = "$release" ] || ln -sfn "$old_release" $opt/previous
ls -d $opt/releases/* | grep -vxF "$(readlink -f $opt/current $opt/previous)" | xargs -r -d '\n' rm -rf
say "${release##*/} runs on https://$host, with the certificate in $certificate."

#!/bin/sh
# Installs the release that it is part of, updates to it, or goes back to it: install.sh HOST [--postgres], as root on
# Debian 12. It may be run again at any time, and takes new settings over. README.md says the rest.
set -eu
umask 022
say() { printf '%s\n' "$*"; }
refuse() { say "install.sh: $*" >&2 && exit 1; }

host='' ports=8081
for argument; do
  if [ "$argument" = --postgres ]; then ports='8081 8082'; else host=$argument; fi
done
source=$(readlink -f -- "$(dirname -- "$0")/..")
name=${source##*/}
opt=/opt/launching-soon
settings=/etc/launching-soon.env
readers=/etc/launching-soon-leads.env
data=/var/lib/launching-soon/leads.db
label='[a-z0-9]([a-z0-9-]*[a-z0-9])?'

[ "$(id -u)" = 0 ] || refuse 'Run this as root.'
[ -e /etc/debian_version ] && [ -e /run/systemd/system ] || refuse 'This needs Debian with systemd; deploy/compose.yaml does not.'
say "$host" | grep -Eqx "($label\.)+$label" || refuse "Not a host: '$host'. Usage: install.sh example.com [--postgres]"
[ -x "$source/bin/node" ] || refuse "$source is no release: make one by deploy/make-release.sh."
grep -q "\"https://$host/\"" "$source/dist/index.html" ||
  refuse "The page was built for another host: make the release with PUBLIC_ORIGIN=https://$host."
# The settings decide which database it is, and the option has to fit.
names() { grep -Eqs "^DATABASE_URL=['\"]?$1:" "$2"; }
if [ "$ports" = 8081 ]; then
  ! names 'postgres(ql)?' $settings || refuse "$settings names PostgreSQL: add --postgres."
else
  ! names sqlite $settings || refuse "$settings names SQLite: deploy/README.md says how to move to PostgreSQL."
  names 'postgres(ql)?' $settings && names 'postgres(ql)?' $readers ||
    refuse "Write DATABASE_URL='postgres://…' into $settings and $readers: deploy/README.md, PostgreSQL, has the roles."
fi

packages='nginx libnginx-mod-http-brotli-static libatomic1 curl openssl'
missing=$(for package in $packages; do dpkg -s "$package" >/dev/null 2>&1 || printf ' %s' "$package"; done)
[ -z "$missing" ] || say "Installing with apt-get:$missing"
[ -z "$missing" ] || found=$(DEBIAN_FRONTEND=noninteractive apt-get install -qq $missing 2>&1) ||
  refuse "apt-get could not: $(say "$found" | grep -m 1 '^E:'). Install them, and run this again."
systemd-sysusers "$source/deploy/sysusers.conf"
if [ ! -e $settings ]; then
  (umask 077 && printf "DATABASE_URL='sqlite:%s'\nPUBLIC_ORIGIN='https://%s'\n" $data "$host" >$settings)
  say "Wrote $settings."
fi
grep -Eqx "PUBLIC_ORIGIN=['\"]?https://$host['\"]?" $settings || refuse "$settings needs PUBLIC_ORIGIN='https://$host'."
names '(sqlite|postgres(ql)?)' $settings || refuse "$settings needs DATABASE_URL='sqlite:$data'."
[ -e $readers ] || { grep '^DATABASE_URL=' $settings >$readers && say "Wrote $readers."; }
chmod 600 $settings
chmod 640 $readers
chown root:leads $readers

if [ ! -e "$opt/releases/$name" ]; then
  mkdir -p $opt/releases
  rm -rf $opt/releases/.new
  cp -R --preserve=mode,timestamps "$source" $opt/releases/.new
  mv $opt/releases/.new "$opt/releases/$name"
  say "Copied the release to $opt/releases/$name."
fi
cd "$opt/releases/$name"
cmp -s "$source/dist/pages.json" dist/pages.json || refuse "$PWD is another build of the same commit: make a new commit."
for port in $ports; do
  set -- --env-file=$settings
  [ ! -e /etc/launching-soon.$port.env ] || set -- "$@" --env-file=/etc/launching-soon.$port.env
  found=$(env -i NODE_ENV=production HOST=127.0.0.1 PORT=$port TRUST_PROXY=127.0.0.1 \
    bin/node "$@" server/main.ts --check 2>&1) || refuse "$found Correct it in $settings: nothing that runs was changed."
done
if [ "$ports" != 8081 ] && [ -s $data ]; then
  found=$(bin/leads stats 2>&1) || refuse "$found The leads are in $data: deploy/README.md says how to move to PostgreSQL."
fi
say 'Checked the settings.'

# From here on, what fails is put back.
ours='/etc/systemd/system/launching-soon*@.* /etc/nginx/*/launching-soon*.conf'
# nginx.conf has its own site for other hosts, which logs no address.
default=/etc/nginx/sites-enabled/default
work=$(mktemp -d) before=$(readlink $opt/current || true) restarted='' status=1
ls -d $ours $default 2>/dev/null | tar -cPf "$work/before" -T -
put() { # FILE: what it shall hold is the standard input
  cat >"$work/text"
  if cmp -s "$work/text" "$1"; then return; fi
  if [ -e "$1" ]; then say "Changed $1."; else say "Added $1."; fi
  cat "$work/text" >"$1"
}
start() { # PORT: a server that ends again and again is not waited for
  systemctl restart "launching-soon@$1" && timeout 60 sh -c "
    until curl -fs -m 5 -o /dev/null http://127.0.0.1:$1/readyz; do
      sleep 1
      [ \$(systemctl show -P NRestarts launching-soon@$1) -lt 5 ] || exit 1
    done"
}
why() { # PORT: the last line of its log, or its message, without the lines that Node adds to an error
  journalctl -q -o cat -n 20 _SYSTEMD_UNIT="launching-soon@$1.service" | grep -Ev '^([[:space:]}]|$|Node\.js v)' |
    tail -n 1 | sed 's/^{.*"msg":"\(.*\)"}$/\1/'
}
finish() {
  trap '' INT TERM HUP
  if [ $status != 0 ]; then
    rm -f $ours
    tar -xPf "$work/before"
    rm -f $opt/current
    [ -z "$before" ] || ln -s "$before" $opt/current
    systemctl daemon-reload
    for port in $restarted; do
      if [ -z "$before" ]; then systemctl disable -q --now "launching-soon@$port"
      elif start "$port"; then say "Put back $before on port $port: it is ready."
      else say "Put back $before on port $port: it is not ready either: $(why "$port")"; fi
    done
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

cd deploy
for unit in launching-soon*@.*; do put "/etc/systemd/system/$unit" <"$unit"; done
certificate=/etc/letsencrypt/live/$host
[ -e "$certificate/fullchain.pem" ] || certificate=/etc/nginx/launching-soon
if [ ! -e "$certificate/fullchain.pem" ]; then
  mkdir -p $certificate
  openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=$host" \
    -keyout $certificate/privkey.pem -out $certificate/fullchain.pem 2>/dev/null
  say "Made a placeholder for the certificate in $certificate."
fi
sed "s|/etc/letsencrypt/live/example\.com|$certificate|; s/example\.com/$host/g; $([ "$ports" != 8081 ] || echo /:8082/d)" \
  nginx.conf | put /etc/nginx/conf.d/launching-soon.conf
../bin/node nginx-release.ts | put /etc/nginx/snippets/launching-soon-release.conf
if [ -e $default ]; then rm $default && say "Removed $default."; fi
nginx -q -t 2>"$work/text" || refuse "nginx refuses its files: $(head -n 1 "$work/text")"
# Visitors who still have the old page open need its files.
[ -z "$before" ] || cp -n $opt/current/dist/assets/* ../dist/assets/
ln -sfn "releases/$name" $opt/current
ln -sf $opt/current/bin/leads /usr/local/bin/leads
systemctl daemon-reload
for port in $ports; do
  # After this pause nginx uses the server before this one again.
  [ -z "$restarted" ] || sleep 2
  restarted="$restarted $port"
  systemctl enable -q "launching-soon@$port"
  start "$port" || refuse "The server on port $port is not ready: $(why "$port")"
  say "Restarted the server on port $port: it is ready."
done
systemctl reload-or-restart nginx
status=0
[ -z "$before" ] || [ "$before" = "releases/$name" ] || ln -sfn "$before" $opt/previous
ls -d $opt/releases/* | grep -vxF "$(readlink -f $opt/current $opt/previous)" | xargs -r rm -rf
say "$name runs, and nginx serves it."

#!/bin/sh
# Applies a new release, or a change of .env. It may be repeated after any failure. A new server starts beside the old
# servers, which stop only when the new server is healthy. So nobody is refused. It also makes the first start.
set -eu
cd "$(dirname "$0")"
docker compose build || {
  # Docker prints many lines after the reason. Repeat the reason if it is a wrong setting of the build.
  docker compose build 2>&1 | grep -o '[A-Z][A-Z_]* must be .*[.]' | tail -n 1 >&2
  exit 1
}
docker compose run --rm --no-deps server node server/main.ts --check
docker compose run --rm --no-deps caddy caddy validate --config /etc/caddy/Caddyfile >/dev/null
# All servers, except for containers of `docker compose run`.
servers() { docker compose ps --all --format '{{if eq (.Label "com.docker.compose.oneoff") "False"}}{{.ID}}{{end}}' server; }
old=$(servers)
docker compose up --detach --no-recreate --scale "server=$(($(echo "$old" | wc -w) + 1))" server || :
new=$(servers | grep -vxF "$old" || :)
state() { docker inspect --format '{{.State.Health.Status}}, {{.RestartCount}} restarts' "$new"; }
while [ "$(state)" = 'starting, 0 restarts' ]; do sleep 1; done
if [ "$(state)" != 'healthy, 0 restarts' ]; then
  echo "The new server did not start.${old:+ The old server still runs.} The log of the new server says why:" >&2
  docker logs --tail 20 "$new" >&2 2>&1
  docker stop "$new" >/dev/null
  docker rm "$new" >/dev/null
  exit 1
fi
# The old servers finish the calls that they have.
for server in $old; do
  docker stop "$server" >/dev/null
  docker rm "$server" >/dev/null
done
docker compose up --detach --wait
echo 'Done: this release runs with these settings.'

#!/bin/sh
# Applies a new release, or a change of .env. It may be repeated after any failure. A new server starts beside the old
# servers, which stop only when the new server is healthy. So nobody is refused.
set -eu
cd "$(dirname "$0")"
docker compose build
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
  echo 'The new server did not start. The old server still runs. The log of the new server says why:' >&2
  docker logs --tail 20 "$new" >&2 2>&1
  docker stop "$new"
  docker rm "$new"
  exit 1
fi
# The old servers finish the calls that they have.
for server in $old; do
  docker stop "$server"
  docker rm "$server"
done
docker compose up --detach --wait

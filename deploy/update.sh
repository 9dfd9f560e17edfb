#!/bin/sh
# Applies a new release, or a change of .env, and may be repeated after any failure. A new server starts beside those that
# run, and they end when it is ready: nobody is refused.
set -eu
cd "$(dirname "$0")"
docker compose build
docker compose run --rm --no-deps server node server/main.ts --check
docker compose run --rm --no-deps caddy caddy validate --config /etc/caddy/Caddyfile >/dev/null
# A failed or interrupted update may have left servers that are not ready. They may have calls already, and finish them.
for server in $(docker compose ps --all --quiet server); do
  [ "$(docker inspect --format '{{.State.Health.Status}}' "$server")" = healthy ] && continue
  docker stop "$server" || :
  docker rm --force "$server"
done
count=$(docker compose ps --quiet server | wc -l)
docker compose up --detach --wait --no-recreate --scale "server=$((count + 1))" || {
  echo 'The new server does not start, and the old one goes on. Its log says why:'
  docker compose logs --tail 5 server
  exit 1
} >&2
docker compose up --detach --wait

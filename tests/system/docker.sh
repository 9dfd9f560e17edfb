#!/bin/sh
# Usage: docker.sh FOLDER. Runs a separate Docker in a new folder, with the images that deploy/ builds on and a copy of this
# checkout. Prints a line when all is ready. Ends when its standard input ends. The environment names the Docker socket.
set -eu
checkout=$PWD
cd "$1"
[ ! -S /run/docker.sock ] || { echo 'Stop the Docker of this machine: two share their firewall rules.' >&2; exit 1; }
end() {
  status=$?
  if [ -e run/pid ]; then
    docker ps --all --quiet | xargs -r docker rm --force
    docker network prune --force
    kill "$(cat run/pid)"
    wait
  fi
  [ $status = 0 ] || tail log >&2
  rm -r "$PWD"
  exit $status
} >/dev/null
trap end EXIT
trap exit INT TERM

# The packages of Debian 12 are older and lack IPv6. Only runc comes from this machine.
mkdir -p archives/partial lists/partial
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian testing main' >sources.list
set -- -qq -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Cache="$PWD" \
  -o Dir::State::Lists="$PWD/lists" -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" download docker.io docker-cli docker-compose docker-buildx containerd caddy promtool
for package in *.deb; do dpkg -x "$package" .; done

# Docker tells builds and containers to use this proxy. It leads nowhere, so a test fails if something uses it.
echo '{"proxies":{"default":{"httpProxy":"http://192.0.2.1:3128"}}}' >"$DOCKER_CONFIG/config.json"
mkdir run
# Docker leaves the machine's policy for forwarded packets alone. Connections of this machine arrive like remote ones.
dockerd --data-root "$PWD/data" --exec-root "$PWD/run" --pidfile "$PWD/run/pid" --host "$DOCKER_HOST" \
  --ip-forward-no-drop --userland-proxy=false 2>log &
until docker info >/dev/null 2>&1; do kill -0 $!; sleep 0.1; done

# deploy/ builds on two images. One image made from files of this machine stands for both, so no registry is needed.
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p base/bin base/sbin base/tmp base/etc/ssl base/usr/bin base/usr/sbin base/usr/local/bin base/usr/local/lib
cp /bin/busybox base/bin/
chroot base /bin/busybox --install -s
dpkg -L libc6 libgcc-s1 libstdc++6 libatomic1 | grep '[.]so[.0-9]*$' | xargs cp -Lt base --parents
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n' >base/etc/passwd
printf 'root:x:0:\nnode:x:1000:\n' >base/etc/group
cp "$node" usr/bin/caddy base/usr/local/bin/
cp -rL "$npm" base/usr/local/lib/
ln -s ../lib/npm/bin/npm-cli.js base/usr/local/bin/npm
tar -cC base . | docker import -c 'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]' -c 'ENV XDG_DATA_HOME=/data' \
  -c 'ENV XDG_CONFIG_HOME=/config' - base >/dev/null
docker tag base "$(grep -om1 'node:[0-9][^ ]*' "$checkout/deploy/Dockerfile")"
docker tag base "$(grep -o 'caddy:[0-9][0-9.]*' "$checkout/deploy/compose.yaml")"

mkdir checkout
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard) |
  tar -cC "$checkout" --null --ignore-failed-read -T - 2>/dev/null | tar -xC checkout
# This machine may reach the registry of npm through a proxy that signs certificates itself.
cp /etc/ssl/certs/ca-certificates.crt checkout/deploy/ca.pem
echo ready
cat >/dev/null

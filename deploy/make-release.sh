#!/bin/sh
# Builds the page of the last commit, and packs it with all that it needs to run: PUBLIC_ORIGIN=… make-release.sh [FOLDER].
# By default FOLDER is release/ beside this folder. Also writes a file with the SHA-256 of the release.
set -eu
umask 022
: "${PUBLIC_ORIGIN:?is not set: give the origin at which visitors find the page, for example https://example.com}"
to=$(realpath -m -- "${1:-$(dirname -- "$0")/../release}")
cd -- "$(dirname -- "$0")/.."
mkdir -p "$to"
modules=$PWD/node_modules
commit=$(git rev-parse --short HEAD)
release=launching-soon-$commit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source" "$work/$release/bin"
git archive HEAD | tar -x -C "$work/source"
git archive HEAD server src/domain docs openapi.yaml webhooks.yaml package.json package-lock.json deploy | tar -x -C "$work/$release"
# The Node that the tests ran on: one file, which needs libatomic1 of Debian. From here on, npm and the build run on it
# too. Its licence goes with it.
cp -L "$modules/.bin/node" "$work/$release/bin/"
cp "$(dirname -- "$(readlink -f "$modules/.bin/node")")/../LICENSE" "$work/$release/bin/node-licence.txt"
cp "$work/source/deploy/leads" "$work/$release/bin/"
PATH=$work/$release/bin:$PATH
cd "$work/source"
node -e '
  const [wanted, installed] = process.argv.slice(1).map((file) => JSON.parse(fs.readFileSync(file)).packages)
  const differs = ([path, { version }]) => wanted[path]?.version !== version
  const isMissing = ([path, { optional, devOptional }]) => path && !optional && !devOptional && !installed[path]
  process.exit(Object.entries(installed).some(differs) || Object.entries(wanted).some(isMissing) ? 1 : 0)
' package-lock.json "$modules/.package-lock.json" || {
  echo "node_modules is not what package-lock.json of $commit describes: run npm ci." >&2
  exit 1
}
ln -s "$modules" node_modules
node_modules/.bin/vite build --logLevel warn
cp -r dist "$work/$release/"
cd "$work/$release"
# "leads --version" reports this version.
npm pkg set version="$(npm pkg get version | tr -d '"')+$commit"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
tar -czf "$to/$release.tar.gz" -C "$work" "$release"
(cd "$to" && sha256sum "$release.tar.gz" >"$release.tar.gz.sha256")
echo "$to/$release.tar.gz"

#!/bin/sh
# Makes an archive of the last commit, the built page, and everything they need to run: make-release.sh [FOLDER]
set -eu
umask 022
to=$(realpath -- "${1:-.}")
cd -- "$(dirname -- "$0")/.."
commit=$(git rev-parse --short HEAD)
release=launching-soon-$commit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$release/bin"
git archive HEAD server leads src openapi.yaml package.json package-lock.json deploy | tar -x -C "$work/$release"
cp -r dist "$work/$release/"
# The Node that the tests ran on: one file without dependencies.
cp -L node_modules/node/bin/node "$work/$release/bin/"
cp deploy/leads "$work/$release/bin/"
cd "$work/$release"
# As the metrics report it.
npm pkg set version="$(npm pkg get version | tr -d '"')+$commit"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
tar -czf "$to/$release.tar.gz" -C "$work" "$release"
echo "$to/$release.tar.gz"

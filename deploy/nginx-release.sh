#!/bin/sh
# Prints nginx's settings for the release in a folder: where its page is, and the page's content policy.
set -eu
dist=$(realpath "$1/dist")
policy=$(cat "$dist/content-security-policy.txt")
printf 'root "%s";\nset $launching_soon_page_policy "%s";\n' "$dist" "$policy"

#!/bin/sh
# Prints what nginx has to know of the release in a folder: where its page is, and the policy of that very page.
set -eu
dist=$(realpath "$1/dist")
policy=$(cat "$dist/content-security-policy.txt")
printf 'root "%s";\nset $launching_soon_page_policy "%s";\n' "$dist" "$policy"

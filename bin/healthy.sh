#!/bin/bash
# Whether the web process of this container answers (or is ready: healthy.sh readiness). Runs every ten seconds, so it is no
# Node process. A worker listens on no port; its watchdog ends it when it is frozen.
set -e

if tr '\0' ' ' </proc/1/cmdline | grep -q '/worker\.js '; then exit 0; fi
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-3000}"
printf 'GET /-/%s HTTP/1.0\r\nHost: localhost\r\n\r\n' "${1:-liveness}" >&3
read -r _ status _ <&3
[ "$status" = 200 ]

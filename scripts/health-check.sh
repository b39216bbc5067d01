#!/bin/bash
# Whether the server of this container answers and is ready: the HEALTHCHECK of the Dockerfile. Ends with 0 or 1.
set -eu
address=${HOST:-127.0.0.1}
case $address in 0.0.0.0 | ::) address=127.0.0.1 ;; esac
port=${PORT:-8080}

if [ -n "${TLS_CERT:-}" ]; then
  # The certificate bears the name that people use, and not this address; nothing secret is sent.
  exec node --max-old-space-size=16 -e '
    const [host, port] = process.argv.slice(1);
    const asked = require("node:https").get({ host, port, path: "/api/health", rejectUnauthorized: false, timeout: 4000 });
    asked.on("response", (reply) => process.exit(reply.statusCode === 200 ? 0 : 1));
    asked.on("timeout", () => process.exit(1));
    asked.on("error", () => process.exit(1));
  ' "$address" "$port"
fi

# No second Node where it can be helped: it costs 40 MB every half minute.
trap '' PIPE
exec 2>/dev/null 3<>"/dev/tcp/$address/$port"
printf 'GET /api/health HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 || exit 1
IFS= read -r -t 4 status <&3 || exit 1
[[ $status == *' 200 '* ]]

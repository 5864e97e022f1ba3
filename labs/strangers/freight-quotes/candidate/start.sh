#!/bin/sh
# Starts the service; called by the unit freight-quotes.service.
cd "$(dirname "$0")" || exit 1

# QS-604: "Unexpected end of file from server" with North Star
exec java \
  -Xms96m -Xmx256m \
  -XX:+ExitOnOutOfMemoryError \
  -Dfile.encoding=UTF-8 \
  -Dhttp.maxConnections=24 \
  -Dhttp.keepAlive=false \
  -Dhttp.agent=quayside-freight/1.12 \
  -jar target/freight-quotes.jar

#!/bin/sh
# Starts the service; called by the unit freight-quotes.service.
cd "$(dirname "$0")" || exit 1

exec java \
  -Xms96m -Xmx256m \
  -XX:+ExitOnOutOfMemoryError \
  -Dfile.encoding=UTF-8 \
  -Dhttp.maxConnections=24 \
  -Dhttp.agent=quayside-freight \
  -jar target/freight-quotes.jar

#!/bin/sh
# Starts the service as the container image does.
cd "$(dirname "$0")" || exit 1
exec java -Xms256m -Xmx320m -jar target/meter-curves.jar

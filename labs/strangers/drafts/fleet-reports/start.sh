#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec java -Xmx128m -XX:+ExitOnOutOfMemoryError -jar target/fleet-reports-runner.jar

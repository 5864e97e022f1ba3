#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec java -Xms128m -Xmx320m -jar target/letter-vault.jar

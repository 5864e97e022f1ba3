#!/bin/sh
# Starts the payslip preview. JAVA_EXTRA may hold further options.
cd "$(dirname "$0")" || exit 1

HEAP="-Xms160m -Xmx160m"
GC="-XX:+UseSerialGC"
SAFETY="-XX:+ExitOnOutOfMemoryError -XX:ErrorFile=/tmp/payslip-preview-%p.log"
LOCALE="-Duser.language=de -Duser.country=DE -Duser.timezone=Europe/Berlin"
# Probe points for the platform team's heap exporter (eBPF)
PROBES="-XX:+DTraceAllocProbes"

exec java $HEAP $GC $SAFETY $LOCALE $PROBES $JAVA_EXTRA -jar target/payslip-preview.jar

#!/bin/sh
# Runs workerd, which a terminal's Ctrl-C or hang-up would end at once: what is ignored here stays ignored in it.
trap '' INT HUP
exec "$WORKERD_PATH" "$@"

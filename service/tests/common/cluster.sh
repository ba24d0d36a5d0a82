# Starts a PostgreSQL cluster in a folder of its own, prints the folder's name once it takes connections on a socket there,
# and ends it when the standard input ends, which it does with the program that started this script, however that ends.
# It outlives its own crash, and that of the machine only with ASSENT_FSYNC=on. It listens on no port, unless
# ASSENT_TLS_ADDRESS is set: there it listens, too, and takes encrypted connections, with its own certificate.

set -eu

bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -V | tail -1)")
# PostgreSQL refuses to run as root; Debian's package has a user for it.
as() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else
        "$@"
    fi
}

start() {
    tls=''
    if [ -n "${ASSENT_TLS_ADDRESS:-}" ]; then
        tls="-c ssl=on -c ssl_cert_file=$folder/server.crt -c ssl_key_file=$folder/server.key"
        as openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj "/CN=$ASSENT_TLS_ADDRESS" \
            -addext "subjectAltName=IP:$ASSENT_TLS_ADDRESS" -addext basicConstraints=critical,CA:FALSE -out "$folder/server.crt" -keyout "$folder/server.key"
        as chmod 600 "$folder/server.key"
    fi
    as "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w -o "-c listen_addresses='${ASSENT_TLS_ADDRESS:-}' $tls \
        -c unix_socket_directories=$folder -c fsync=${ASSENT_FSYNC:-off} -c full_page_writes=${ASSENT_FSYNC:-off} \
        -c max_connections=300" start
}

# With the folder of a cluster that was killed, that is started again.
if [ "$#" -gt 0 ]; then
    folder=$1
    cd "$folder"
    # What the killed one had started takes a moment to end.
    for _ in $(seq 100); do
        if start >"$folder/start" 2>&1; then exit 0; fi
        sleep 0.1
    done
    cat "$folder/start" >&2
    exit 1
fi

# A socket's path has at most 107 bytes, and the user of the cluster has to reach it: not the folder of the build.
folder=$(mktemp -d -t assent-postgres-XXXXXXXX)
if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
trap 'rm -rf "$folder"' EXIT
# What ends the program may reach this script, too, which has to stop the cluster after it.
trap '' INT TERM HUP

cd "$folder"
if ! {
    as "$bin/initdb" -D "$folder/data" -U assent -A trust -E UTF8 --locale=C --no-sync --no-instructions && start
} >"$folder/start" 2>&1; then
    cat "$folder/start" >&2
    exit 1
fi
echo "$folder"
# The end of the program closes its standard output, and whatever is written then would end this script early.
exec >/dev/null 2>&1
read -r _ || true
as "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop || true

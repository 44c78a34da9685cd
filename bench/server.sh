# shellcheck shell=bash
# Sourced: an nginx with a configuration of its own on a free port, serving packed pages. Never the system's service.

# Makes the pages in $2/www and serves them; sets $port. Usage: server_start BUILD WORK SITES PAGES
server_start() {
    local build=$1 work=$2 sites=$3 pages=$4 s
    mkdir -p "$work/www" "$work/nginx"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.1.1", 0)); print(s.getsockname()[1])')
    "$build/bench/tool_make_pages" "$work/www" "$sites" "$pages" "$port"
    {
        echo "daemon off; worker_processes 1; worker_cpu_affinity 10; pid $work/nginx/pid; error_log $work/nginx/error.log warn;"
        echo "events { worker_connections 4096; multi_accept on; }"
        echo "http { access_log off; default_type text/html; sendfile on; tcp_nopush on; keepalive_requests 100000;"
        echo "client_body_temp_path $work/nginx/body; proxy_temp_path $work/nginx/proxy; fastcgi_temp_path $work/nginx/fastcgi;"
        echo "uwsgi_temp_path $work/nginx/uwsgi; scgi_temp_path $work/nginx/scgi; open_file_cache max=20000 inactive=600s; open_file_cache_valid 600s;"
        echo "server { root $work/www; gzip_static always;"
        for ((s = 0; s < sites; s++)); do echo "listen 127.0.$((1 + s / 200)).$((1 + s % 200)):$port backlog=4096;"; done
        echo "} }"
    } >"$work/nginx/nginx.conf"
    # root's workers would become nobody, who may not read a private folder
    [ "$(id -u)" -eq 0 ] && sed -i '1s/^/user root; /' "$work/nginx/nginx.conf"
    /usr/sbin/nginx -p "$work/nginx" -c "$work/nginx/nginx.conf" 2>>"$work/nginx/error.log" &
    server_pid=$!
    for _ in $(seq 100); do
        curl -sf --compressed -o /dev/null "http://127.0.1.1:$port/000/p00.html" && return 0
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/nginx/error.log" >&2
    return 1
}

server_stop() {
    [ -n "${server_pid:-}" ] && kill "$server_pid" 2>/dev/null && wait "$server_pid" 2>/dev/null
    server_pid=
}

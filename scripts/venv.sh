# shellcheck shell=sh
# The project's virtual environment, made on first use: sourced by the scripts beside it, which set $root first.
#
#   environment run|dev   see to it that $root/.venv holds exactly what requirements/run.txt or dev.txt pins
#
# Everything it has to say goes to stderr: stdout belongs to the command, which may be in the middle of a pipe.

# shellcheck disable=SC2154  # $root comes from the sourcing script
venv=$root/.venv

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    say "$@"
    exit 1
}

environment() {
    up_to_date "$1" && return
    command -v flock >/dev/null || die "flock is missing: install the Debian package util-linux"
    exec 9<"$root"
    if ! flock -n 9; then
        say "another run is preparing $venv; waiting for it"
        flock 9
    fi
    # The run that held the lock may have done the work.
    up_to_date "$1" || prepare "$1"
    exec 9<&-
}

# What the environment must have been made from. A moved folder or an upgraded Python makes it unusable, so both are in it.
recipe() {
    printf '%s\n' "$root"
    readlink -f "$venv/bin/python"
    cat "$root/requirements/$1.txt" "$root/pyproject.toml"
}

# An environment for development has in it, in the same versions, all that a run needs.
up_to_date() {
    [ -x "$venv/bin/python" ] && [ -x "$venv/bin/mexica" ] || return 1
    for kind in dev "$1"; do
        stamp=$venv/.mexica-$kind
        [ -f "$stamp" ] && [ "$(recipe "$kind")" = "$(cat "$stamp")" ] && return 0
    done
    return 1
}

prepare() {
    usable || create
    say "installing requirements/$1.txt into $venv"
    rm -f "$venv/.mexica-$1"
    { pip install -r "$root/requirements/$1.txt" && pip install --no-deps --no-build-isolation -e "$root"; } ||
        die "pip could not install the packages (its message is above); is there a network?"
    recipe "$1" >"$venv/.mexica-$1.new"
    mv "$venv/.mexica-$1.new" "$venv/.mexica-$1"
    say "ready"
}

pip() {
    "$venv/bin/python" -m pip -qq --disable-pip-version-check "$@" </dev/null >&2
}

usable() {
    new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1
}

create() {
    if [ -e "$venv" ] && [ ! -e "$venv/.made-by-scripts" ]; then
        die "$venv can't be used (it has no Python 3.11 or newer with pip) and wasn't made by these scripts: remove it"
    fi
    python=$(find_python) || exit 1
    say "making a virtual environment in $venv with $("$python" --version)"
    rm -rf "$venv"
    mkdir "$venv"
    # First of all, so that a run that is interrupted here leaves something the next one may clear away.
    : >"$venv/.made-by-scripts"
    "$python" -m venv "$venv" </dev/null >&2 || die "$python -m venv failed (its message is above)"
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# Prints the first Python that is new enough and can make virtual environments; else says what is missing.
find_python() {
    old=
    bare=
    for python in python3 python3.13 python3.12 python3.11; do
        if ! "$python" -c '' 2>/dev/null; then
            continue
        elif ! new_enough "$python"; then
            : "${old:=$("$python" --version 2>&1)}"
        elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            : "${bare:=$python}"
        else
            printf '%s\n' "$python"
            return
        fi
    done
    if [ -n "$bare" ]; then
        die "$bare can't make a virtual environment: install the Debian package $bare-venv"
    elif [ -n "$old" ]; then
        die "Python 3.11 or newer is needed, but python3 is $old: install the Debian package python3 of Debian 12 or newer"
    fi
    die "Python is missing: install the Debian packages python3 and python3-venv"
}

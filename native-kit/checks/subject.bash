# Sourced by `inside` and `outside`: how the program is started, as a jar or as an image.
# shellcheck shell=bash

# subject jvm JDK JAR, or subject image EXECUTABLE
subject() {
    case ${1-} in
        jvm)
            before=("$(realpath "$2")/bin/java")
            behind=(-jar "$(realpath "$3")")
            ;;
        image)
            before=("$(realpath "$2")")
            behind=()
            ;;
        *)
            echo "usage: $0 jvm JDK JAR | image EXECUTABLE" >&2
            exit 2
            ;;
    esac
    # The same surroundings for both, whoever calls.
    export LC_ALL=C.UTF-8 TZ=Europe/Berlin
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS LANG LANGUAGE
}

# compose FLAG... -- ARGUMENT...: the command in `composed`. Both builds take -X and -D as flags.
compose() {
    local flags=()
    while [[ $1 != -- ]]; do
        flags+=("$1")
        shift
    done
    shift
    composed=("${before[@]}" "${flags[@]}" "${behind[@]}" "$@")
}

# program FLAG... -- ARGUMENT...
program() {
    compose "$@"
    "${composed[@]}"
}

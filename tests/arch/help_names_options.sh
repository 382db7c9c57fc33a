#!/bin/sh
# Protects whoever asks for help: a subcommand's --help names every option that its file reads, but
# for those that it turns down.
# usage, in the repository's root: help_names_options.sh PROGRAM
failed=0
for file in $(find bot adapters -name 'cmd_*.c'); do
    command=$(basename "$file" .c | sed 's/^cmd_//')
    for option in $(grep -v turn_down "$file" | grep -o '"--[a-z-]*' | tr -d '"' | sort -u); do
        case $("$1" "$command" --help </dev/null 2>&1) in
        *"$option"*) ;;
        *)
            echo "$file reads $option, and \"munchbot $command --help\" does not name it"
            failed=1
            ;;
        esac
    done
done
exit $failed

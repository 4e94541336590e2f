#!/usr/bin/env -S python3 -X utf8
"""completions.py STICKERD SHELL: prints the completions for bash, zsh or fish.

They come from the program STICKERD (`--generate-completion-script`), which has to run here. What argument-parser leaves out is
added: words with `=` and `:` in bash, `--option=value` in zsh, no space after `key=`, and the commands after `help`; and bash
and fish take the lines of a name for several names.
"""

import json
import re
import subprocess
import sys

# An ending shows where a name ends; compgen adds none to the folders of plusdirs.
BASH_NAMES = r"""__stickerd_add_completions() {
    if [[ "${1}" = -o ]]; then
        shift 2
        __stickerd_add_completions -d
    fi
    local completion
    while IFS='' read -r -d $'\1' completion; do
        COMPREPLY+=("${completion#$'\n'}")
    done < <(IFS=$'\n' compgen -S $'\1' "${@}" -- "${cur}")
}
"""
# bash divides words at = and :, and quotes = in what it takes for a file name.
BASH = r"""
_stickerd_whole_words() {
    local -a whole=()
    local -i at
    local word rest="${COMP_LINE#*"${COMP_WORDS[0]}"}"
    for ((at = 1; at <= COMP_CWORD; at++)); do
        word="${COMP_WORDS[at]}"
        if [[ "${rest}" = [[:space:]]* || at -eq 1 ]]; then
            whole+=('')
        fi
        rest="${rest#*"${word}"}"
        [[ at -lt COMP_CWORD || "${word}" = [=:]* ]] || word="${2}"
        whole[-1]+="${word}"
    done
    local -a COMP_WORDS=("${COMP_WORDS[0]}")
    for word in "${whole[@]}"; do
        if [[ "${word}" = --*=* ]]; then COMP_WORDS+=("${word%%=*}" "${word#*=}"); else COMP_WORDS+=("${word}"); fi
    done
    local -i COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
    word="${COMP_WORDS[COMP_CWORD]}"
    local -r before="${COMP_WORDS[COMP_CWORD - 1]}"
    _stickerd "${1}" "${word}" "${before}"
    if [[ "${COMP_WORDS[1]}" = help ]]; then COMPREPLY=($(compgen -W '@COMMANDS@' -- "${word}")); fi
    if [[ "${before}" = --set ]]; then
        compopt +o filenames
        if [[ "${#COMPREPLY[@]}" = 1 && "${COMPREPLY[0]}" = *= ]]; then compopt -o nospace; fi
    fi
    [[ "${2}" = [=:]* ]] || word="${word%"${2}"}"
    COMPREPLY=("${COMPREPLY[@]#"${word}"}")
}
complete -o filenames -F _stickerd_whole_words stickerd
"""
ZSH = """__stickerd_complete() {
    local -ar keys=("${(M)@:#*=}") others=("${@:#*=}")
    _describe -V '' keys -S '' -- others
}
"""
# A list for fish cannot have names with line breaks, and what follows a tab is a description.
FISH = r"""
function __stickerd_folders
    complete --escape -C "nonexistent-command "(commandline -ct) | string match -r '.*/$' \
        | string match -rv '(^|[^\\\\])(\\\\\\\\)*\\\\[nt]' | string unescape | string replace -r '$' \tDirectory
end
complete -c 'stickerd' -n '__stickerd_should_offer_completions_for_positional "stickerd help" -ge 1' -fa '@COMMANDS@'
"""


def replaced(pattern, replacement, text):
    """Fails if a newer argument-parser writes something else."""
    text, count = re.subn(pattern, replacement, text, flags=re.M | re.S)
    assert count, f"the script has nothing like {pattern}"
    return text


def main(program, shell):
    def run(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    script = run("--generate-completion-script", shell)
    commands = json.loads(run("--experimental-dump-help"))["command"]["subcommands"]
    names = " ".join(command["commandName"] for command in commands if command["shouldDisplay"] and command["commandName"] != "help")
    if shell == "bash":
        # A shell reads the file, and does not run it.
        script = replaced(r"^__stickerd_add_completions\(\) \{.*?^\}\n", lambda _: BASH_NAMES, script)
        script = replaced(r"^complete .*", lambda _: BASH, script.removeprefix("#!/bin/bash\n"))
    elif shell == "zsh":
        script = replaced(r"^__stickerd_complete\(\) \{.*?^\}\n", lambda _: ZSH, script)
        script = replaced(r"^( +'\*?--[\w-]+)(\[[^\n]*\]:)", r"\1=\2", script)
        script = replaced(r"\{(-\w),(--[\w-]+)\}('\[[^\n]*\]:)", r"{\1+,\2=}\3", script)
        script = replaced(r"'\*:subcommands:'", "'*:subcommands:(@COMMANDS@)'", script)
    else:
        script = replaced(r"\(__fish_complete_directories\)", "(__stickerd_folders)", script) + FISH
    print(script.replace("@COMMANDS@", names), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])

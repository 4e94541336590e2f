#!/usr/bin/env -S python3 -X utf8
"""manual.py STICKERD FOLDER: writes the manual pages into FOLDER/man1 and FOLDER/man5, in mdoc(7).

Commands come from the help of the program STICKERD, settings from its schema, the members of pack.json from pack.schema.json,
exit statuses from Docs/Commands.md. (argument-parser's plugin generate-manual knows options only, and needs a build of its
own.) The date is SOURCE_DATE_EPOCH, or else that of CHANGELOG.md: the same sources give the same bytes.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

#: Characters of a default beyond which its place is named instead.
LONG = 100
ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = (
    ("/etc/stickerd/config.json", "The settings of the service."),
    ("~/.config/stickerd/config.json", "The settings of a daemon that a user runs."),
    ("/var/lib/stickerd", "The service's inbox, outbox and Library, unless the settings name others."),
    ("~/.local/share/stickerd", "Inbox and outbox of a daemon that a user runs."),
    ("/usr/share/stickerd", "A settings file with every key, and the schemas of settings files and pack.json; "
     "below /usr/local if installed from source."),
)
DESCRIPTION = """The daemon, stickerd run, watches the inbox and writes stickers, indexes and a gallery page to the outbox.
The other commands ask or instruct it, or work without it. File names need not be UTF-8."""
ENVIRONMENT = (
    ("STICKERD_KEY", "A setting, such as STICKERD_STICKER_SIZE for sticker.size; items of lists are separated by colons."),
    ("NO_COLOR", "If set, the output has no colors."),
)


def escape(text):
    """Text that roff prints as it is: options with ASCII hyphens, no requests, no typographic replacements."""
    text = text.replace("\\", "\\e").replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")
    text = re.sub(r"(?<![\w-])-+(?=\w)", lambda hyphens: "\\-" * len(hyphens[0]), text)
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def prose(text):
    """Lines of text; each sentence begins on its own, as mdoc(7) demands."""
    sentences = re.split(r"(?<=[.:!?]) +(?=[^a-z])", " ".join(text.split()))
    return [escape(line) for sentence in sentences for line in textwrap.wrap(sentence, 72, break_on_hyphens=False)]


def word(text):
    """One argument of a macro."""
    return '"' + escape(text).replace('"', "\\(dq") + '"'


def items(pairs):
    """A list of (what macros show, text)."""
    return [".Bl -tag -width Ds", *(line for shown, text in pairs for line in (f".It {shown}", *prose(text))), ".El"]


def examples(name):
    """The section of a page in examples.txt: what each example does, and its indented lines."""
    section = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", (ROOT / "Docs/examples.txt").read_text(), re.M | re.S)
    lines = []
    for text, code in re.findall(r"^(\S.*)\n((?:    .*\n)+)", section[1] if section else "", re.M):
        literal = escape(textwrap.dedent(code)).replace("'", "\\(aq").splitlines()
        lines += [".Pp", *prose(text), ".Bd -literal -offset indent", *literal, ".Ed"]
    return [".Sh EXAMPLES", *lines[1:]] if lines else []


def exit_status():
    listed = re.search(r"^Exit status: (.*?)\.\s", (ROOT / "Docs/Commands.md").read_text(), re.M | re.S)[1]
    pairs = [part.replace("`", "").split(maxsplit=1) for part in listed.split(";")]
    return [".Sh EXIT STATUS", *items((number, text[0].upper() + text[1:] + ".") for number, text in pairs)]


def argument_words(argument, names=None):
    """A positional argument, or an option with its value by all of `names`."""
    value = f"Ar {word(argument['valueName'])}" if argument["kind"] != "flag" else ""
    flags = [f"Fl {'-' * (name['kind'] == 'long')}{name['name']} {value}".rstrip() for name in names or argument.get("names", [])]
    return " , ".join(flags) or value


def synopsis(name, arguments):
    lines = [".Sh SYNOPSIS", f".Nm {word(name)}"]
    for argument in arguments:
        shown = argument_words(argument, [argument["preferredName"]] if "names" in argument else None)
        lines.append(f".{'Op ' * argument['isOptional']}{shown}{' ...' * argument['isRepeating']}")
    return lines


def see_also(pages):
    return [".Sh SEE ALSO", *(f".Xr {page} {section}{' ,' * (page != pages[-1][0])}" for page, section in pages)]


def kind(node):
    """The values that a schema admits, in words."""
    if "const" in node or "enum" in node:
        return " or ".join(map(json.dumps, node.get("enum", [node.get("const")])))
    names = [node["type"]] if isinstance(node["type"], str) else node["type"]
    text = " or ".join({"integer": "a whole number", "number": "a number", "boolean": "true or false", "array": "a list",
                        "string": "text"}[name] for name in names if name != "string" or node.get("pattern") != "^auto$")
    if "minimum" in node:
        text += f" from {node['minimum']}" + (f" to {node['maximum']}" if "maximum" in node else "")
    text += ' or "auto"' * (node.get("pattern") == "^auto$")
    choices = node.get("items", {}).get("enum")
    return text + (f" of {', '.join(map(json.dumps, choices))}" if choices else "")


def resolved(node, schema):
    return {**schema["$defs"][node["$ref"].rpartition("/")[2]], **node} if "$ref" in node else node


def members(node, schema, prefix="", deep=True):
    """(name, text) of each member of an object and of the objects in it; `[]` stands for each item of a list."""
    for name, member in node["properties"].items():
        member = resolved(member, schema)
        item = resolved(member.get("items", {}), schema)
        if "properties" in member:
            yield from members(member, schema, f"{prefix}{name}.")
            continue
        default = json.dumps(member["default"], ensure_ascii=False) if "default" in member else ""
        value = kind(member) + f"; default {default if len(default) < LONG else 'in stickerd settings'}" * bool(default)
        missing = " May be missing." * ("required" in node and name not in node["required"])
        yield f"Sy {word(prefix + name)}", f"{member.get('description', '')} {value[0].upper()}{value[1:]}.{missing}"
        if deep and "properties" in item:
            yield from members(item, schema, f"{prefix}{name}[].")


class Manual:
    def __init__(self, program, folder):
        self.folder = pathlib.Path(folder)
        self.run = lambda *arguments: subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "CHANGELOG.md").stat().st_mtime)
        date = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
        self.date, self.version = f"{date:%B} {date.day}, {date.year}", self.run("--version").split()[0]

    def write(self, name, section, brief, *parts):
        brief = (brief[0].lower() + brief[1:]).removesuffix(".")
        head = [f".Dd {self.date}", f".Dt {name.upper()} {section}", f".Os stickerd {self.version}", ".hw stickerd stickers",
                ".Sh NAME", f".Nm {name}", f".Nd {escape(brief)}"]
        page = self.folder / f"man{section}" / f"{name}.{section}"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("\n".join(line for part in (head, *parts) for line in part) + "\n")

    def write_all(self):
        root = json.loads(self.run("--experimental-dump-help"))["command"]
        commands = [command for command in root["subcommands"] if command["shouldDisplay"] and command["commandName"] != "help"]
        formats = [("stickerd-config", 5), ("stickerd-pack", 5)]
        files = [".Sh FILES", *items((f"Pa {word(path)}", text) for path, text in FILES)]
        environment = [".Sh ENVIRONMENT", *items((f"Ev {name}", text) for name, text in ENVIRONMENT)]
        self.write(
            "stickerd", 1, root["abstract"], [".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar argument ..."],
            [".Sh DESCRIPTION", *prose(DESCRIPTION), ".Pp", "The commands are:",
             *items((f"Xr stickerd-{command['commandName']} 1", command["abstract"]) for command in commands),
             ".Pp", "Every command has these options:",
             *items((argument_words(argument), argument["abstract"]) for argument in root["arguments"])],
            environment, files, exit_status(), examples("stickerd"),
            see_also([*((f"stickerd-{name}", 1) for name in sorted(command["commandName"] for command in commands)), *formats]))
        for command in commands:
            name, arguments = command["commandName"], [a for a in command["arguments"] if a["valueName"] not in ("help", "version")]
            self.write(
                f"stickerd-{name}", 1, command["abstract"], synopsis(f"stickerd {name}", arguments),
                [".Sh DESCRIPTION", *prose(command["abstract"] + " " + command.get("discussion", "")),
                 *items((argument_words(argument), argument.get("abstract", "")) for argument in arguments)],
                exit_status(), examples(name), see_also([("stickerd", 1), *formats]))
        self.write_formats(files)

    def write_formats(self, files):
        settings, pack = json.loads(self.run("settings", "--schema")), json.loads((ROOT / "pack.schema.json").read_text())
        self.write("stickerd-config", 5, "settings of stickerd",
                   [".Sh DESCRIPTION", "A settings file is a JSON object.", *prose(settings["description"]),
                    *prose("A key like sticker.size stands for the member size of the object sticker."),
                    *items(pair for pair in members(settings, settings) if "$schema" not in pair[0])],
                   files, examples("config"), see_also([("stickerd", 1), ("stickerd-check-config", 1), ("stickerd-settings", 1)]))
        index, page = pack["$defs"]["index"], pack["$defs"]["page"]
        self.write("stickerd-pack", 5, "index of a pack of stickers",
                   [".Sh DESCRIPTION", *prose(index["description"] + " " + pack["description"]),
                    *prose("A name like pack.name stands for a member of an object, and stickers[].id for one of each item of a list."),
                    *items(members(index, pack)), ".Ss Pages", *prose(page["description"]), *items(members(page, pack, deep=False))],
                   examples("pack"), see_also([("stickerd", 1), ("stickerd-export", 1)]))


if __name__ == "__main__":
    Manual(*sys.argv[1:]).write_all()

"""The parts of the gate: what each runs, and what it needs to have run before."""

import dataclasses
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")
#: The program that all parts run: what `make install` installs.
PROGRAM = ".build/release/stickerd"
BUNDLE = ".build/debug/stickerdPackageTests.xctest"
#: The exit status of a part that this machine cannot run. Its last line has the reason.
SKIPPED = 77


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    #: What its tests are: printed with their number.
    kind: str
    command: tuple
    needs: tuple = ()
    #: Whether it waits, kills or measures, so that `make test-steady` repeats it.
    waits: bool = False
    #: Variables to add to the environment.
    environment: tuple = ()
    #: SwiftPM locks its build folder, so only one such part runs at a time.
    builds: bool = False
    needs_root: bool = False


def swift_tests(name, modules, **more):
    """Suites of the test bundle, run one test after the other: tests that wait for the kernel must not starve behind tests
    that compute. The bundle is run itself, because `swift test` would wait for SwiftPM's lock."""
    command = (BUNDLE, "--testing-library", "swift-testing", "--no-parallel", "--filter", modules)
    return Part(name, command=command, **more)


def unit(name, modules, **more):
    return swift_tests(name, modules, kind="unit tests (debug)", needs=("debug build",), **more)


def program(name, modules):
    return swift_tests(
        name, modules, kind="tests of the program (release)", needs=("debug build", "release build"), waits=True,
        environment=(("STICKERD_UNDER_TEST", str(ROOT / PROGRAM)),))


def script(name, kind, *command, needs=("release build",), **more):
    return Part(name, kind, command, needs, **more)


def torture(name, *arguments):
    return script(f"torture: {name}", "torture (release)", "Tests/Torture/run.sh", "short", PROGRAM, name, *arguments, waits=True)


#: The tests of modules that have parts of their own, and of all others.
PIPELINE = (r"^StickerPipelineTests\.[A-O]", r"^StickerPipelineTests\.[P-Z]")
LIBRARY = r"^PhotoLibraryTests\."
INBOX_AND_WORKERS = r"^(Inbox|Workers)Tests\."
OTHERS = r"^(?!StickerPipelineTests|InboxTests|WorkersTests|PhotoLibraryTests|DaemonTests)\w+Tests\."
BUILDS = (
    Part("texts", "checks", ("sh", "-c", "Docs/messages.py --check && Docs/architecture.py --check && Docs/comments.py --check"), builds=True),
    Part("debug build", "builds", (SWIFT, "build", "--build-tests"), builds=True),
    Part("release build", "builds", ("make", "--no-print-directory", "build"), builds=True),
)
#: In the order of their starts, the longest first.
PARTS = BUILDS + (
    unit("pipeline A-O", PIPELINE[0], waits=True),
    unit("pipeline P-Z", PIPELINE[1], waits=True),
    unit("library", LIBRARY, waits=True),
    unit("inbox and workers", INBOX_AND_WORKERS, waits=True),
    unit("others", OTHERS, waits=True),
    Part("documentation comments", "checks", ("Docs/docc.sh",), ("debug build",)),
    script("browser", "browser", "Tests/Browser/run.sh", PROGRAM, waits=True),
    script("browser engines", "browser", "Tests/Browser/run.sh", PROGRAM, "--engine", "firefox", "--engine", "webkit", "-m", "engines", waits=True),
    program("daemon A-N", r"^DaemonTests\.[A-N]"),
    program("daemon O-Z", r"^DaemonTests\.[O-Z]"),
    script("end to end", "systemd (release)", "Tests/System/run.sh", waits=True, needs_root=True),
    script("mounts", "systemd (release)", "Tests/System/mounts.sh", waits=True, needs_root=True),
    script("moves", "systemd (release)", "Tests/System/moves.sh", waits=True, needs_root=True),
    *map(torture, ("crash", "faults", "exports", "power", "library", "hostile", "flood", "soak", "stress", "selfcheck")),
    script("exports", "other programs (release)", "Tests/Exports/run.sh", PROGRAM, waits=True),
    script("manual and completions", "other programs (release)", "Tests/Installed/run.sh", PROGRAM, waits=True),
    script("palettes", "other programs (release)", "Tests/Palettes/run.sh", PROGRAM),
    script("colors of the page", "other programs (release)", "Tests/Palettes/parity.sh", needs=("debug build",)),
)


def counts(text):
    """(passed, failed, skipped) tests in a part's output; a part that prints no number is one test."""
    passed = failed = skipped = 0
    for total, rest in re.findall(r"Test run with (\d+) tests? (.*)", text):
        issues = len(set(re.findall(r"^\W*✘ Test (?!run with)(.*) failed after", text, re.M)))
        left_out = len(re.findall(r"^\W*➜ Test .* skipped", text, re.M))
        passed, failed, skipped = int(total) - issues - left_out, issues, left_out
    for number, word in re.findall(r"(\d+) (passed|failed|skipped|errors?)\b(?=.* in [\d.]+s)", text):
        match word:
            case "passed": passed += int(number)
            case "skipped": skipped += int(number)
            case _: failed += int(number)
    passed += len(re.findall(r"^(?:end to end|mounts|moves): (?!passed|SKIPPED)", text, re.M))
    return passed, failed, skipped

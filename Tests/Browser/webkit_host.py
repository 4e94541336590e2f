#!/usr/bin/python3
"""A bare WebKitGTK window for WebKitWebDriver. Debian's MiniBrowser has a toolbar, which keeps it wider than a phone.

Its options are environment variables: DARK and STILL for the reader's preferences, DOWNLOADS is the folder of saved files,
SCRIPT runs in each page before its own, and LOG is the file that gets console messages.
"""

import os
import pathlib

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

DOWNLOADS = pathlib.Path(os.environ["DOWNLOADS"])


def view(other=None):
    """A window; `other` is the view whose page opened it."""
    settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True, javascript_can_access_clipboard=True)
    kind = {"related_view": other} if other else {}
    made = WebKit2.WebView(is_controlled_by_automation=True, settings=settings, **kind)
    made.get_user_content_manager().add_script(WebKit2.UserScript(
        os.environ["SCRIPT"], WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START, None, None))
    made.connect("close", lambda closed: closed.get_toplevel().destroy())
    made.connect("create", lambda opener, _: view(opener))
    made.connect("permission-request", lambda _, request: request.allow() or True)
    window = Gtk.Window(decorated=False, default_width=1200, default_height=800)
    window.add(made)
    # No window manager gives it the keyboard.
    window.connect("map-event", lambda window, _: window.get_window().focus(0))
    window.show_all()
    window.move(0, 0)
    return made


def started(_, session):
    about = WebKit2.ApplicationInfo()
    # The name that WebKitWebDriver asks for.
    about.set_name("MiniBrowser")
    about.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(about)
    session.connect("create-web-view", lambda _: view())


def save(_, download):
    def decide(download, name):
        # Complete files only have their own names.
        draft, target = DOWNLOADS / ".draft", DOWNLOADS / name.replace("/", "_")
        draft.unlink(missing_ok=True)
        download.connect("finished", lambda _: draft.rename(target))
        download.set_destination(draft.as_uri())
        return True
    download.connect("decide-destination", decide)


log = os.open(os.environ["LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for stream in (1, 2):
    os.dup2(log, stream)
looks = Gtk.Settings.get_default()
looks.set_property("gtk-application-prefer-dark-theme", "DARK" in os.environ)
looks.set_property("gtk-enable-animations", "STILL" not in os.environ)
context = WebKit2.WebContext.get_default()
context.set_automation_allowed(True)
context.connect("automation-started", started)
context.connect("download-started", save)
Gtk.main()

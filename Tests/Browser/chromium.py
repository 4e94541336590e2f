"""Chromium's pages, as the tests get them."""

import urllib.parse

CHROMIUM = "/usr/bin/chromium"
# The carousel's slides fill the view, so this is the width in the formulas.
VIEW = {"width": 1200, "height": 800}
# Timeout for anything that a page does at once, on a busy machine; milliseconds.
PATIENCE = 60_000
#: What can be changed about an open page, with its usual value.
CHANGEABLE = {
    "viewport": VIEW, "permissions": [], "reduced_motion": "no-preference", "color_scheme": "light", "forced_colors": "none"}
#: How many pages wait for tests with the same options.
MAX_PAGES = 4


class Watched:
    """A page, with all its errors and requests."""

    def __init__(self, browser, init, **options):
        self.context = browser.new_context(accept_downloads=True, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        if init:
            self.page.add_init_script(init)
        self.page.troubles = self.troubles = []
        self.page.requests = self.requests = []
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("requestfailed", self.fail)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: (self.troubles.append("a dialog"), dialog.dismiss()))

    def fail(self, request):
        # The page aborts requests itself: for the rest of the index, of which it reads only the beginning, and for the
        # images of tiles that it replaces before they have arrived. A missing file is a 404, which the console reports.
        if "ERR_ABORTED" not in request.failure:
            self.troubles.append(f"{request.url}: {request.failure}")


    def renew(self, viewport, permissions, **media):
        """Makes it as good as new, for the next test."""
        if self.page.viewport_size != viewport:
            self.page.set_viewport_size(viewport)
        self.context.clear_permissions()
        self.context.grant_permissions(permissions)
        self.page.emulate_media(**media)
        self.page.mouse.move(0, 0)
        self.troubles.clear()
        self.requests.clear()

    def leave(self, nowhere):
        """Closes the gallery, and forgets what it has stored."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        # Another page of the same origin: the gallery cannot store anything afterwards, and the process stays.
        self.page.goto(nowhere if self.page.url.startswith("file:") else urllib.parse.urljoin(self.page.url, "/packs.js"))
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")

/**
 * A list that another script of the outbox assigns to a global variable, because a page opened as a file can read no other
 * file. From a server, it is read again while the page is open.
 */
class AssignedList {
  static interval = 5000;

  /** Calls `update` with an object or array, or null or undefined if there is none. - id: of the script's element. */
  watch(id, variable) {
    const script = DOM.find(id);
    if (!script) return;
    this.source = script.getAttribute('src');
    this.base = this.source.slice(0, this.source.lastIndexOf('/') + 1);
    script.addEventListener('load', () => this.update(globalThis[variable]));
    this.update(globalThis[variable]);
    document.addEventListener('visibilitychange', () => this.schedule());
    this.schedule();
  }

  schedule() {
    clearTimeout(this.timer);
    if (document.hidden || !Files.canRead) return;
    this.timer = setTimeout(() => this.look(), AssignedList.interval);
  }

  async look() {
    let list;
    try {
      // A server's time stamps often have whole seconds, so a check against them can miss a change.
      const response = await fetch(this.source, { cache: 'no-store' });
      const text = response.ok ? await response.text() : '';
      list = response.status === 404 ? null : JSON.parse(text.slice(text.search(/[{[]/), text.search(/[}\]][^}\]]*$/) + 1));
    } catch {
      // The server is unreachable, or the file is being replaced.
    }
    if (list !== undefined) this.update(list);
    this.schedule();
  }
}

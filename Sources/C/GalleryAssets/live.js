/**
 * Keeps an open page up to date. From a server, it watches the revision at the beginning of `pack.json`, and then reads
 * the page's new data; a page opened as a file can read neither, so it reloads itself while photos are pending.
 */
class Live {
  static interval = { pending: 1500, idle: 5000, failed: 15_000, file: 3000 };
  /** How many times a page checks again if it waits only for its pack's ZIP. */
  static maxExtraLooks = 5;
  /** `revision` is near the beginning; the rest of a large index is not read. */
  static maxHeadCharacters = 1000;
  static missingKey = `stickerd missing ${location.pathname}`;
  static looksKey = `stickerd looks ${location.pathname}`;

  /** - onChange: called with the new contents; - isIdle: whether a reload would not interrupt the reader. */
  constructor(contents, onChange, isIdle) {
    this.contents = contents;
    this.onChange = onChange;
    this.isIdle = isIdle;
    this.revision = contents.revision;
    const before = Memory.read('sessionStorage', Live.looksKey);
    this.extraLooks = before?.revision === this.revision ? before.looks : 0;
    document.addEventListener('visibilitychange', () => this.schedule(0));
    this.schedule();
  }

  get isWaitingForArchive() {
    const { archive, isDivided, pending, stickerCount } = this.contents;
    // A large pack without a ZIP is probably too large for one; a ZIP of only the newest stickers never has all of them.
    return pending === 0 && stickerCount > 0 && (archive || !isDivided) && !archive?.newest
      && archive?.stickers !== stickerCount && this.extraLooks < Live.maxExtraLooks;
  }

  schedule(delay) {
    clearTimeout(this.timer);
    // No polling while hidden; the page polls when it becomes visible.
    if (document.hidden) return;
    const usual = this.contents.pending > 0 ? Live.interval.pending : Live.interval.idle;
    this.timer = setTimeout(() => this.look(), delay ?? (Files.canRead ? usual : Live.interval.file));
  }

  async look() {
    if (!Files.canRead) {
      this.reload();
      return;
    }
    let delay;
    try {
      if (await this.isBehind()) await this.read();
    } catch {
      // The server is unreachable, or the file is being replaced.
      delay = Live.interval.failed;
    }
    this.schedule(delay);
  }

  reload() {
    if (this.contents.pending === 0 && !this.isWaitingForArchive) return;
    if (!this.isIdle()) {
      this.schedule();
      return;
    }
    if (this.contents.pending === 0) this.extraLooks += 1;
    Memory.write('sessionStorage', Live.looksKey, { revision: this.revision, looks: this.extraLooks });
    location.reload();
  }

  async isBehind() {
    if (this.revision > this.contents.revision) return true;
    if (this.isWaitingForArchive) {
      this.extraLooks += 1;
      return true;
    }
    const head = await fetch('pack.json', { method: 'HEAD', cache: 'no-store' });
    const mark = head.ok ? ['etag', 'last-modified', 'content-length'].map((name) => head.headers.get(name)).join() : null;
    if (mark !== null && mark === this.mark) return false;
    this.revision = Math.max(this.revision, await Live.revision());
    this.mark = mark;
    return this.revision > this.contents.revision;
  }

  static async revision() {
    const response = await fetch('pack.json', { cache: 'no-store' });
    if (!response.ok) throw new Error(response.statusText);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.length < Live.maxHeadCharacters) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    return Number(/"revision"\s*:\s*(\d+)/.exec(text)?.[1] ?? 0);
  }

  async read() {
    // Without its page, a folder may be listed or forbidden.
    const response = await fetch(location.pathname.replace(/\/$/, '/index.html'), { cache: 'no-store' });
    // A pack without photos has no page, except the root pack.
    const contents = response.status === 404 ? this.contents.emptied(this.revision)
      : response.ok ? Contents.ofPage(await response.text(), this.contents) : null;
    if (!contents) throw new Error('The server returned no gallery page');
    // The page's own code is another version.
    if (contents.build !== this.contents.build) location.reload();
    if (contents.revision > this.contents.revision) this.extraLooks = 0;
    const isNew = contents.json !== this.contents.json;
    this.contents = contents;
    if (isNew) await this.onChange(contents);
  }

  /** A page's script does not exist any more: the pack has changed since this page was read. */
  async refetch() {
    if (Files.canRead) {
      this.mark = undefined;
      this.schedule(0);
    } else if (Memory.read('sessionStorage', Live.missingKey) !== this.revision) {
      // Reloads once: a file may also be missing for good.
      Memory.write('sessionStorage', Live.missingKey, this.revision);
      location.reload();
    }
  }
}

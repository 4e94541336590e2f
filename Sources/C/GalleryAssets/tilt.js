/** Tilts the sticker toward the mouse or with the phone, like a holographic card; `sticker.css` draws it. */
class Tilt {
  /** The largest angle, in degrees. */
  static most = 14;
  /** The phone's rotation that gives the largest angle, in degrees. */
  static turn = 25;
  /** The share of the distance by which the rest position follows the phone's position, per event. */
  static drift = 0.02;

  /** - front: returns the element of the sticker in front. */
  constructor(track, front) {
    this.front = front;
    this.element = null;
    /** The angles of the phone's rest position; null before the first event. */
    this.rest = null;
    track.addEventListener('pointermove', (event) => event.pointerType === 'mouse' && this.point(event), { passive: true });
    track.addEventListener('pointerleave', () => this.end(), { passive: true });
    track.addEventListener('scroll', () => this.end(), { passive: true });
    addEventListener('deviceorientation', (event) => this.lean(event), { passive: true });
    // Safari requires the reader's permission, and asks for it only after a tap.
    track.addEventListener('click', ({ target }) => target.closest('.cutout') && this.ask());
  }

  ask() {
    if (this.isAsked || DOM.prefersLessMotion()) return;
    this.isAsked = true;
    globalThis.DeviceOrientationEvent?.requestPermission?.().catch(() => {});
  }

  point({ target, clientX, clientY }) {
    const element = target.closest('.cutout');
    if (!element) {
      this.end();
      return;
    }
    // Measure the parent, which does not tilt: the sticker's own edges move.
    const { left, top, width, height } = element.parentElement.getBoundingClientRect();
    const [x, y] = [element.offsetLeft + element.offsetWidth / 2, element.offsetTop + element.offsetHeight / 2];
    this.set(element, 2 * (clientX - left - x) / Math.min(width, element.offsetWidth), 2 * (clientY - top - y) / Math.min(height, element.offsetHeight));
  }

  lean({ beta, gamma }) {
    const element = this.front();
    if (beta === null || gamma === null || !element) return;
    this.rest ??= { beta, gamma };
    const [x, y] = [(gamma - this.rest.gamma) / Tilt.turn, (beta - this.rest.beta) / Tilt.turn];
    this.rest.beta += (beta - this.rest.beta) * Tilt.drift;
    this.rest.gamma += (gamma - this.rest.gamma) * Tilt.drift;
    this.set(element, x, y);
  }

  /** - x, y: -1…1 from the left and the top to the right and the bottom. */
  set(element, x, y) {
    if (DOM.prefersLessMotion()) {
      this.end();
      return;
    }
    if (element !== this.element) this.end();
    this.element = element;
    const [across, down] = [x, y].map((value) => Math.max(-1, Math.min(1, value)));
    element.classList.add('tilted');
    DOM.paint(element, {
      '--tilt-x': `${(-down * Tilt.most).toFixed(2)}deg`, '--tilt-y': `${(across * Tilt.most).toFixed(2)}deg`,
      '--shine-x': `${(50 + across * 50).toFixed(1)}%`, '--shine-y': `${(50 + down * 50).toFixed(1)}%`,
    });
  }

  end() {
    this.element?.classList.remove('tilted');
    this.element = null;
  }
}

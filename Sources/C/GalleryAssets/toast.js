/** A short message at the bottom of the view, which screen readers announce. */
const Toast = {
  /** How long it stays; twice as long for an error. */
  milliseconds: 3000,

  show(text, isTrouble = false) {
    const toast = DOM.find('toast');
    clearTimeout(Toast.timer);
    // The element stays in the page: screen readers announce changes of a live region, not new ones.
    toast.textContent = text;
    toast.classList.add('shown');
    Toast.timer = setTimeout(() => toast.classList.remove('shown'), Toast.milliseconds * (isTrouble ? 2 : 1));
  },
};

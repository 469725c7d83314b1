// Changes a part of the page into that of another page, so that what has the focus keeps it. The outcome is what a
// reload of that page shows, except what a person has typed and not sent, and the folds that they have opened or closed.

/** The folds that a person has opened or closed, with their labels. */
const folded = new WeakMap();

document.addEventListener('click', ({ target }) => {
  const fold = target.closest('summary')?.parentElement;
  if (fold && !fold.matches('[data-menu]')) folded.set(fold, labelOf(fold));
});

const labelOf = (fold) => fold.querySelector('summary')?.firstChild?.textContent;

/** @param former the element on the page, which stays on it */
export function morph(former, now) {
  morphNode(former, now);
  const [controls, wanted] = [former, now].map((part) => [
    ...part.querySelectorAll('details, input, option, textarea'),
  ]);
  for (const [index, control] of controls.entries()) showAs(control, wanted[index]);
}

function morphNode(former, now) {
  if (former.nodeType !== Node.ELEMENT_NODE) {
    if (former.data !== now.data) former.data = now.data;
    return;
  }
  for (const { name, value } of now.attributes)
    if (name !== 'open' && former.getAttribute(name) !== value) former.setAttribute(name, value);
  for (const name of former.getAttributeNames())
    if (name !== 'open' && !now.hasAttribute(name)) former.removeAttribute(name);
  morphChildren(former, now);
}

function morphChildren(former, now) {
  let next = former.firstChild;
  const removeUntil = (end) => {
    while (next !== end) {
      const removed = next;
      next = next.nextSibling;
      removed.remove();
    }
  };
  for (const wanted of now.childNodes) {
    const found = findAlike(next, wanted);
    if (found) {
      removeUntil(found);
      morphNode(found, wanted);
      next = found.nextSibling;
    } else former.insertBefore(document.importNode(wanted, true), next);
  }
  removeUntil(null);
}

/** The node that becomes another one: this one or a later sibling, but none that is needed after it or has the focus. */
function findAlike(from, wanted) {
  for (let node = from; node; node = node.nextSibling) {
    if (isAlike(node, wanted)) return node;
    if (node.contains(document.activeElement)) return null;
    for (let later = wanted.nextSibling; later; later = later.nextSibling) if (isAlike(node, later)) return null;
  }
  return null;
}

const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

const keyOf = (node) =>
  node.nodeType === Node.ELEMENT_NODE && ['id', 'class', 'name', 'type'].map((name) => node.getAttribute(name)).join();

// Once a person has changed a control, its attributes no longer change its state.
function showAs(control, wanted) {
  if (control.tagName === 'DETAILS') {
    if (folded.get(control) !== labelOf(wanted)) control.open = wanted.open;
  } else if (control.tagName === 'OPTION') {
    if (wanted.selected && !control.selected) control.selected = true;
  } else if (control.type === 'checkbox' || control.type === 'radio') {
    control.checked = wanted.checked;
  } else if (control.type !== 'file' && control.value !== wanted.value) {
    control.value = wanted.value;
  }
}

// Changes a part of the page into that of another page, so that what has the focus keeps it. The outcome is what a
// reload of that page shows, except what a person has typed and not sent, and the folds that they have opened or closed.

import { Idiomorph } from 'idiomorph';

const MORPH = {
  morphStyle: 'outerHTML',
  callbacks: { beforeAttributeUpdated: (name) => name !== 'open' },
};

/** The folds that a person has opened or closed, with their labels. */
const folded = new WeakMap();

document.addEventListener('click', ({ target }) => {
  const fold = target.closest('summary')?.parentElement;
  if (fold && !fold.matches('[data-menu]')) folded.set(fold, labelOf(fold));
});

const labelOf = (fold) => fold.querySelector('summary')?.firstChild?.textContent;

/** @param former the element on the page, which stays on it */
export function morph(former, now) {
  void Idiomorph.morph(former, now, MORPH);
  const [controls, wanted] = [former, now].map((part) => [
    ...part.querySelectorAll('details, input, option, textarea'),
  ]);
  for (const [index, control] of controls.entries()) showAs(control, wanted[index]);
}

// What a person has done to a control does not follow its attributes.
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

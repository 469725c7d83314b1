// A box that selects all links of a list, Shift that selects a range of them, and how many are selected.

import { onEachPage } from './page.js';

const boxesOf = (form) => [...form.querySelectorAll('input[name="id"]')];

onEachPage(() => {
  for (const all of document.querySelectorAll('[data-select-all]')) {
    all.closest('label').hidden = boxesOf(all.form).length < 2;
    showCount(all);
  }
});

document.addEventListener('change', ({ target }) => {
  const all = target.form?.querySelector('[data-select-all]');
  if (!all) return;
  if (target === all) for (const box of boxesOf(all.form)) box.checked = all.checked;
  showCount(all);
});

document.addEventListener('reset', ({ target }) => {
  const all = target.querySelector('[data-select-all]');
  // The boxes are as they were at first only once the event is over.
  if (all) setTimeout(() => showCount(all));
});

/** The box where a range begins: the last one clicked without Shift. */
let first = null;

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!target.matches('.pick input[name="id"]')) return;
  const boxes = boxesOf(target.form);
  const [from, to] = [boxes.indexOf(first), boxes.indexOf(target)].toSorted((a, b) => a - b);
  if (shiftKey && from >= 0) for (const box of boxes.slice(from, to + 1)) box.checked = target.checked;
  else first = target;
  const all = target.form.querySelector('[data-select-all]');
  if (all) showCount(all);
});

function showCount(all) {
  const boxes = boxesOf(all.form);
  const selected = boxes.filter((box) => box.checked).length;
  all.checked = selected > 0 && selected === boxes.length;
  all.form.querySelector('[data-selected]').textContent = selected === 0 ? '' : ` (${selected})`;
}

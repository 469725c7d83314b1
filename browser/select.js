// A box that selects all links of a list, and how many are selected.

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

function showCount(all) {
  const boxes = boxesOf(all.form);
  const selected = boxes.filter((box) => box.checked).length;
  all.checked = selected > 0 && selected === boxes.length;
  all.form.querySelector('[data-selected]').textContent = selected === 0 ? '' : ` (${selected})`;
}

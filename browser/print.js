// Buttons that print the page.

import { onEachPage } from './page.js';

onEachPage(() => {
  for (const button of document.querySelectorAll('[data-print]')) button.hidden = false;
});

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]')) print();
});

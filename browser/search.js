// A list is searched as its search text is typed. Enter does it without this, and without scripts.

import { showInPlace } from './navigate.js';

/** The pause after the last key, in milliseconds, before a text is searched. */
export const WAIT_MS = 250;
/** A shorter text would find almost everything. An empty one shows the whole list. */
export const FEWEST_CHARACTERS = 2;

let waiting = null;

const isSearch = (field) => field.matches('form[role="search"][data-live] input[type="search"]');

function searchSoon({ target: field, isComposing }) {
  if (!isSearch(field)) return;
  clearTimeout(waiting);
  // The text of an input method is not a word before it is chosen.
  if (!isComposing) waiting = setTimeout(() => search(field), WAIT_MS);
}

document.addEventListener('input', searchSoon);
document.addEventListener('compositionend', ({ target }) => searchSoon({ target, isComposing: false }));
document.addEventListener('submit', () => clearTimeout(waiting));

function search(field) {
  const { form, value } = field;
  const length = Array.from(value.trim()).length;
  if (!field.isConnected || (length > 0 && length < FEWEST_CHARACTERS)) return;
  const url = new URL(form.action);
  url.search = new URLSearchParams([...new FormData(form)].filter(([, text]) => text !== ''));
  if (url.href !== location.href) void showInPlace(url);
}

// The tags that a form offers are buttons too: one press adds a tag to a link, or sends the form that takes one tag.

import { element } from './element.js';
import { text } from './words.js';

const MOST = 8;
// A longer name has no room in a dialog on a phone. It can still be typed.
const MAX_CHARACTERS = 24;

function showAll() {
  for (const field of document.querySelectorAll('form[method="post"] input[list$="tags"]:not([data-offers])')) {
    field.dataset.offers = '';
    if (!field.hidden) show(field);
  }
}

function show(field) {
  const names = [...(field.list?.options ?? [])].map(({ value }) => value);
  const short = names.filter((name) => name.length <= MAX_CHARACTERS).slice(0, MOST);
  const several = field.closest('.several');
  // A field whose values are not shown by themselves is one of a form with others.
  if (short.length === 0 || field.dataset.several !== undefined) return;
  const choose = (name) => {
    field.value = name;
    if (several) field.dispatchEvent(new Event('input'));
    else field.form.requestSubmit();
  };
  const buttons = short.map((name) =>
    element('button', { type: 'button', className: 'button quiet small', onclick: () => choose(name) }, name),
  );
  (several ?? field).after(
    element('div', { className: 'actions', role: 'group', ariaLabel: text('scripts.tags') }, ...buttons),
  );
}

// After the fields that show each value by itself.
new MutationObserver(showAll).observe(document.body, { childList: true, subtree: true });
showAll();

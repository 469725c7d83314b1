// Keyboard shortcuts: `c` creates a link, `/` searches, `g` and the first letter of an entry of the navigation leads there,
// `?` lists them. They can be turned off, since people who speak to their computer press such keys by accident:
// https://www.w3.org/TR/WCAG22/#character-key-shortcuts

import { giveFocusTo } from './confirm.js';
import { element } from './element.js';
import { onEachPage } from './page.js';

const SECOND_KEY_MS = 1500;
const OFF = 'shortcuts-off';

const header = () => document.querySelector('header');

/** The shortcuts of this page: their keys, what they are called and what they do. */
function shortcuts() {
  const { create, search } = header()?.dataset ?? {};
  if (!create) return [];
  const byKeys = new Map([
    ['c', { label: 'Create a link', work: () => location.assign(create) }],
    ['/', { label: 'Search for links', work: () => startSearch(search) }],
  ]);
  for (const link of header().querySelector('nav').querySelectorAll('li:not(.create) a')) {
    const keys = `g ${link.textContent.charAt(0).toLowerCase()}`;
    if (!byKeys.has(keys)) byKeys.set(keys, { label: link.textContent, work: () => link.click() });
  }
  byKeys.set('?', { label: 'Show the keyboard shortcuts', work: openList });
  return [...byKeys].map(([keys, shortcut]) => ({ keys, ...shortcut }));
}

function startSearch(address) {
  const field = document.querySelector('input[type="search"]');
  if (field) field.select();
  else location.assign(address);
}

let first = { key: '', until: 0 };

document.addEventListener('keydown', (event) => {
  if (!isMeant(event) || isOff()) return;
  const keys = Date.now() < first.until ? `${first.key} ${event.key}` : event.key;
  first = { key: '', until: 0 };
  const found = shortcuts().find((shortcut) => shortcut.keys === keys);
  if (found) {
    event.preventDefault();
    found.work();
  } else if (keys === 'g') first = { key: keys, until: Date.now() + SECOND_KEY_MS };
});

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]';

function isMeant({ key, ctrlKey, metaKey, altKey, isComposing, target }) {
  if (key.length !== 1 || ctrlKey || metaKey || altKey || isComposing) return false;
  return !target.closest(TYPED_INTO) && !document.querySelector('dialog[open]');
}

/** In this browser, since the keyboard is its own. */
function isOff() {
  return localStorage.getItem(OFF) !== null;
}

// A field that the address names, as that of the search does.
onEachPage(() => {
  const field = location.hash && document.getElementById(location.hash.slice(1));
  if (field && field.matches('input')) field.focus();
});

// In the menu of the user, which each page brings again.
onEachPage(() => {
  const list = document.querySelector('.user ul');
  if (list === null || shortcuts().length === 0 || list.querySelector('[data-shortcuts]')) return;
  const button = element('button', { type: 'button', onclick: openList }, 'Keyboard shortcuts');
  button.dataset.shortcuts = '';
  list.lastElementChild.before(element('li', {}, button));
});

function openList() {
  const list = shortcuts().map(({ keys, label }) =>
    element(
      'div',
      {},
      element('dt', {}, ...keys.split(' ').map((key) => element('kbd', {}, key))),
      element('dd', {}, label),
    ),
  );
  const box = element('input', { type: 'checkbox', checked: !isOff(), autofocus: true });
  box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '')));
  const hint = element('span', { className: 'hint' }, 'Applies to this browser.');
  const dialog = element(
    'dialog',
    { ariaLabel: 'Keyboard shortcuts' },
    element('h1', {}, 'Keyboard shortcuts'),
    element('dl', { className: 'shortcuts' }, ...list),
    element('label', { className: 'checkbox' }, box, element('span', {}, 'Use keyboard shortcuts', hint)),
    element('form', { method: 'dialog' }, element('button', { className: 'button quiet' }, 'Close')),
  );
  const opener = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    giveFocusTo(opener);
  });
  document.body.append(dialog);
  dialog.showModal();
}

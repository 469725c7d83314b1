// Keyboard shortcuts: `c` creates a link, `i` imports links, `/` searches, `g` and the first letter of an entry of the
// navigation leads there, `e`, `q` and `s` lead to what is done with the link at the pointer, `?` lists them. They can be
// turned off, since people who speak to their computer press such keys by accident:
// https://www.w3.org/TR/WCAG22/#character-key-shortcuts

import { giveFocusTo } from './confirm.js';
import { element } from './element.js';
import { onEachPage } from './page.js';
import { text } from './words.js';

const SECOND_KEY_MS = 1500;
const OFF = 'shortcuts-off';

/** The pages of one link, by their keys: what they are called, and the part of their paths after that of the link. */
const OF_LINK = {
  e: { label: text('scripts.editLink'), part: 'edit' },
  q: { label: text('scripts.qrOfLink'), part: 'qr' },
  s: { label: text('scripts.shareLink'), part: 'share' },
};

const header = () => document.querySelector('header');

/** The shortcuts of this page: their keys, what they are called and what they do. */
function shortcuts() {
  const { create, search, import: files } = header()?.dataset ?? {};
  if (!create) return [];
  const byKeys = new Map([
    ['c', { label: text('scripts.createLink'), work: () => location.assign(create) }],
    ['i', { label: text('scripts.importLinks'), work: () => location.assign(files) }],
    ['/', { label: text('scripts.searchLinks'), work: () => startSearch(search) }],
  ]);
  for (const [key, { label, part }] of Object.entries(OF_LINK)) byKeys.set(key, { label, work: () => openPart(part) });
  for (const link of header().querySelector('nav').querySelectorAll('li:not(.create) a')) {
    const keys = `g ${letterOf(link)}`;
    if (!byKeys.has(keys)) byKeys.set(keys, { label: link.textContent, work: () => link.click() });
  }
  byKeys.set('?', { label: text('scripts.showShortcuts'), work: openList });
  return [...byKeys].map(([keys, shortcut]) => ({ keys, ...shortcut }));
}

/** The first letter of a label; of one in a script that the keyboard may not have, that of the path. */
function letterOf({ textContent, pathname }) {
  const [letter] = textContent.trim().toLowerCase();
  return /[a-z]/.test(letter) ? letter : (/\/c\/[^/]+\/(.)/.exec(pathname)?.[1] ?? 'o');
}

function startSearch(address) {
  const field = document.querySelector('input[type="search"]');
  if (field) field.select();
  else location.assign(address);
}

function openPart(part) {
  const link = linkAt(':hover') ?? linkAt(':focus-within') ?? document.querySelector('main [data-link]')?.dataset.link;
  if (link) location.assign(`${link}/${part}`);
}

/** The path of the link whose row of a list or a table is in a state; undefined if there is none. */
function linkAt(state) {
  const row = document.querySelector(`:is(.link-row, tr)${state}`);
  const ways = [...(row?.querySelectorAll('.row-title a, a.open') ?? [])].map((way) => way.pathname);
  return ways.find((path) => /\/links\/[^/]+$/.test(path));
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

const isTypedInto = (target) => target.closest(TYPED_INTO) !== null || document.querySelector('dialog[open]') !== null;

const isMeant = ({ key, ctrlKey, metaKey, altKey, isComposing, target }) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing && !isTypedInto(target);

// Longer ones have no room in the address of a page.
const MAX_PASTED = 2000;

// A URL that is pasted where nothing is typed is where a new link leads.
document.addEventListener('paste', (event) => {
  const { create } = header()?.dataset ?? {};
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!create || text.length > MAX_PASTED || isTypedInto(event.target)) return;
  const url = text.trim();
  if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url)) return;
  event.preventDefault();
  location.assign(`${create}?${new URLSearchParams({ url })}`);
});

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
  const button = element('button', { type: 'button', onclick: openList }, text('scripts.shortcuts'));
  button.dataset.shortcuts = '';
  list.lastElementChild.before(element('li', {}, button));
});

function openList() {
  const list = [...shortcuts(), { keys: 'Ctrl V', label: text('scripts.createCopied') }].map(({ keys, label }) =>
    element(
      'div',
      {},
      element('dt', {}, ...keys.split(' ').map((key) => element('kbd', {}, key))),
      element('dd', {}, label),
    ),
  );
  const box = element('input', { type: 'checkbox', checked: !isOff(), autofocus: true });
  box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '')));
  const hint = element('span', { className: 'hint' }, text('scripts.thisBrowser'));
  const dialog = element(
    'dialog',
    { ariaLabel: text('scripts.shortcuts') },
    element('h1', {}, text('scripts.shortcuts')),
    element('dl', { className: 'shortcuts' }, ...list),
    element('label', { className: 'checkbox' }, box, element('span', {}, text('scripts.useShortcuts'), hint)),
    element('form', { method: 'dialog' }, element('button', { className: 'button quiet' }, text('scripts.close'))),
  );
  const opener = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    giveFocusTo(opener);
  });
  document.body.append(dialog);
  dialog.showModal();
}

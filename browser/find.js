// Ctrl+K finds and does everything: what can be done with the link that is shown, the pages of the workspace, what they
// can do, and its links, campaigns and tags. The server names the pages in a template of the header; the others are found
// by the page that lists them, so that no second place searches.

import { element } from './element.js';
import { onEachPage } from './page.js';
import { FEWEST_CHARACTERS, WAIT_MS } from './search.js';
import { text } from './words.js';

const MOST = 8;

/** The actions of the link that is shown. */
const OF_LINK =
  '.link-head :is(.copy-icon:not([hidden]), .actions :is(a, button)), .link-head ~ .subnav a:not([aria-current])';
const SIGN_OUT = '.user form button';

const template = () => document.querySelector('header template[data-find]');

onEachPage(() => {
  for (const button of document.querySelectorAll('button[data-find]')) button.hidden = template() === null;
});

document.addEventListener('click', ({ target }) => {
  if (target.closest('button[data-find]')) open();
});

document.addEventListener('keydown', (event) => {
  const isMeant = event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (!isMeant || template() === null || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  open();
});

function open() {
  const { content, dataset } = template();
  const listed = [...content.querySelectorAll('a')].map((link) => ({
    label: link.textContent,
    note: link.dataset.note ?? '',
    href: link.getAttribute('href'),
  }));
  // What ends the session comes last.
  const pages = [...actsOf(OF_LINK), ...listed, ...actsOf(SIGN_OUT)];
  const list = element('ul', { id: 'found', role: 'listbox', ariaLabel: text('scripts.found') });
  const input = element('input', {
    type: 'text',
    autocomplete: 'off',
    role: 'combobox',
    autofocus: true,
    placeholder: text('scripts.find'),
    ariaLabel: text('scripts.find'),
    ariaExpanded: 'true',
    ariaAutoComplete: 'list',
  });
  input.setAttribute('aria-controls', list.id);
  const status = element('p', { className: 'hint', role: 'status' });
  const dialog = element('dialog', { className: 'find', ariaLabel: text('scripts.find') }, input, list, status);
  let found = [];
  let shown = [];
  let chosen = 0;
  let asked = 0;

  const choose = (index) => {
    const options = [...list.children];
    chosen = options.length === 0 ? 0 : (index + options.length) % options.length;
    for (const [at, option] of options.entries()) option.ariaSelected = String(at === chosen);
    const option = options[chosen];
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };

  const show = (former = null) => {
    const words = input.value.trim().toLowerCase().split(/\s+/);
    const isFound = ({ label, note }) => words.every((word) => `${label} ${note}`.toLowerCase().includes(word));
    shown = [...pages.filter(isFound), ...found];
    const options = shown.map(({ label, note }, at) =>
      element('li', { id: `found-${at}`, role: 'option' }, element('bdi', {}, label), element('small', {}, note)),
    );
    list.replaceChildren(...options);
    choose(
      Math.max(
        0,
        shown.findIndex(({ label, href }) => label === former?.label && href === former?.href),
      ),
    );
  };

  const search = async (typed) => {
    const mine = ++asked;
    found = [];
    status.textContent = '';
    show();
    if (typed.length < FEWEST_CHARACTERS) return;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (mine !== asked) return;
    const response = await findThings(dataset.find, typed, pages).catch(() => null);
    // A later text has overtaken this one.
    if (mine !== asked || !dialog.isConnected) return;
    found = response ?? [];
    // What a person has chosen meanwhile stays so.
    show(shown[chosen]);
    status.textContent =
      response === null ? text('scripts.cannotSearch') : list.children.length === 0 ? text('scripts.nothingFound') : '';
  };

  input.addEventListener('input', () => void search(input.value.trim()));
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choose(chosen + step);
    else if (event.key === 'Enter') follow(list.children[chosen]);
    else return;
    event.preventDefault();
  });
  const follow = (option) => {
    if (!option) return;
    dialog.close();
    const { href, button } = shown[[...list.children].indexOf(option)];
    if (button?.isConnected) {
      button.click();
      return;
    }
    // A link, so that the page is shown as by any other link.
    const link = element('a', { href });
    document.body.append(link);
    link.click();
    link.remove();
  };
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
    follow(target.closest('[role="option"]'));
  });
  dialog.addEventListener('close', () => dialog.remove());
  show();
  document.body.append(dialog);
  dialog.showModal();
}

/** The actions of links and buttons of the page, for options that press them. */
function actsOf(selector) {
  const heading = document.querySelector('.link-head h1')?.textContent ?? '';
  return [...document.querySelectorAll(selector)].map((button) => ({
    label: button.ariaLabel ?? button.textContent,
    note: button.closest('main') ? heading : '',
    href: button.getAttribute('href') ?? '',
    button,
  }));
}

/** The campaigns, tags and links that a text finds, by the page that lists links. */
async function findThings(path, text, pages) {
  const response = await fetch(`${path}?${new URLSearchParams({ q: text, limit: '25' })}`, {
    headers: { Accept: 'text/html' },
  });
  if (!response.ok) throw new Error(`not found: ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const filedUnder = (name, list) =>
    [...page.querySelectorAll(`#${list} option`)]
      .filter(({ value }) => value.toLowerCase().includes(text.toLowerCase()))
      .slice(0, MOST)
      .map(({ value }) => ({
        label: value,
        note: pages.find(({ href }) => href.endsWith(`/${list}`))?.label ?? '',
        href: `${path}?${new URLSearchParams({ [name]: value })}`,
      }));
  const links = [...page.querySelectorAll('.link-row')].slice(0, MOST).map((row) => ({
    label: row.querySelector('.row-title a').textContent,
    note: row.querySelector('.tape-text').textContent,
    href: row.querySelector('.row-title a').getAttribute('href'),
  }));
  return [...filedUnder('campaign_name', 'campaigns'), ...filedUnder('tag', 'tags'), ...links];
}

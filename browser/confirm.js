// Links and forms that ask for confirmation do it in a dialog.

import { askToLeave } from './leave.js';

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-confirms]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  // If the dialog cannot be shown, the page itself asks, or says what is wrong.
  confirmHere(link.href, link).catch(() => location.assign(link.href));
});

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-confirms]');
  // A button can lead elsewhere, to a page that does not ask.
  if (!form || event.submitter?.hasAttribute('formaction')) return;
  event.preventDefault();
  const asked = `${form.action}?${new URLSearchParams(new FormData(form, event.submitter))}`;
  confirmHere(asked, event.submitter ?? form).catch(() => location.assign(asked));
});

async function confirmHere(href, opener) {
  const page = await fetch(href);
  const { body } = new DOMParser().parseFromString(await page.text(), 'text/html');
  openDialog(page.url, body.querySelector('[data-confirm]'), opener);
}

// The page below may have fields of the same names.
const inDialog = (ids) => ids.replaceAll(/\S+/g, 'dialog-$&');

function renameIds(content) {
  for (const name of ['id', 'for', 'list', 'aria-describedby'])
    for (const part of content.querySelectorAll(`[${name}]`))
      part.setAttribute(name, inDialog(part.getAttribute(name)));
  // The list of errors leads to the fields.
  for (const link of content.querySelectorAll('a[href^="#"]')) link.hash = inDialog(link.hash.slice(1));
}

/** The element that has opened each dialog. */
const openers = new WeakMap();

/** Opens a dialog in place of any other: what a page asks, whose form is sent to `action`. */
export function openDialog(action, content, by = null) {
  const former = document.querySelector('dialog[open]');
  const opener = by ?? openers.get(former);
  if (former) closeNow(former);
  const dialog = document.createElement('dialog');
  openers.set(dialog, opener);
  renameIds(content);
  const heading = content.querySelector('h1');
  heading.id = 'dialog-title';
  dialog.setAttribute('aria-labelledby', heading.id);
  const form = content.querySelector('form');
  form.action = action;
  form.querySelector('.actions a').addEventListener('click', (event) => {
    event.preventDefault();
    void closeAsked(dialog);
  });
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    void closeAsked(dialog);
  });
  dialog.append(content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    giveFocusTo(opener);
  });
  document.body.append(dialog);
  dialog.showModal();
}

// The browser itself returns the focus, unless what opened the dialog had none, or is in a menu that has closed since.
export function giveFocusTo(opener) {
  const menu = opener?.closest('[data-menu]:not([open])');
  if (!opener?.isConnected || (!menu && document.activeElement !== document.body)) return;
  (menu?.querySelector('summary') ?? opener).focus();
}

/** Closes a dialog and removes it. The event that says so comes later, when another dialog may be open. */
export function closeNow(dialog) {
  dialog.close();
  dialog.remove();
}

async function closeAsked(dialog) {
  if (await askToLeave(dialog)) dialog.close();
}

// The page of a new link is shown as a dialog over the present page. The address is that of the page, so that a reload shows
// it whole, and a step back in the history closes the dialog.

import { element } from './element.js';
import { pageHasChanged } from './page.js';
import { dropStyles } from './styles.js';

const { navigation } = globalThis;

/** The `info` of a navigation back to the page below, which has changed meanwhile. */
const CHANGED = 'changed';

/** The dialog, the key of the page below in the history, its title, and the elements that have lent their ids. */
let over = null;

export const isOver = () => over !== null;

/** True if a navigation leads to a page that is shown over this one. */
export function opensOver({ destination, navigationType }) {
  const { create } = document.querySelector('header')?.dataset ?? {};
  const { pathname } = new URL(destination.url);
  return navigationType !== 'reload' && pathname === create && document.querySelector('main [data-over]') === null;
}

/** True if a navigation leads back to the page below, which stays as it is. */
export const closesOver = ({ destination, info }) =>
  over !== null && !over.hasChanged && info !== CHANGED && destination.key === over.below;

/**
 * Shows the content of a page in the dialog, which it opens if it is closed.
 *
 * @param below the key of the present page in the history
 * @param id of the element that has the focus, if it is there
 */
export function showOver(next, below = null, id = '') {
  const content = document.adoptNode(next.querySelector('main [data-over]'));
  const notice = next.querySelector('main > .notice.success');
  if (notice) content.querySelector('form').before(document.adoptNode(notice));
  over ??= open(below);
  const { dialog, lent } = over;
  document.title = next.title;
  dialog.replaceChildren();
  lent.push(...lendIds(content));
  const heading = content.querySelector('h1');
  heading.id = 'over-title';
  dialog.setAttribute('aria-labelledby', heading.id);
  dialog.append(content);
  if (!dialog.open) dialog.showModal();
  pageHasChanged();
  (document.getElementById(id) ?? dialog.querySelector('[autofocus]') ?? heading).focus();
}

function open(below) {
  const dialog = element('dialog', { className: 'over' });
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    backBelow();
  });
  // Some browsers close it whatever a page says.
  dialog.addEventListener('close', () => over?.dialog === dialog && backBelow());
  dialog.addEventListener('click', (event) => {
    if (!event.target.closest('[data-close]')) return;
    event.preventDefault();
    backBelow();
  });
  document.body.append(dialog);
  return { dialog, below, lent: [], title: document.title, hasChanged: false };
}

// The page below may have fields of the same names. Nothing can be done there until the dialog is closed.
function lendIds(content) {
  const ids = new Set([...content.querySelectorAll('[id]')].map(({ id }) => id));
  const same = [...document.querySelectorAll('[id]')].filter(({ id }) => ids.has(id));
  return same.map((lender) => {
    const { id } = lender;
    lender.id = `below-${id}`;
    return { lender, id };
  });
}

/** Lets the page below be loaded again when the dialog is closed. */
export function noteChange() {
  if (over) over.hasChanged = true;
}

/** Leads back to the page below. If something typed would be lost, the user is asked first. */
function backBelow() {
  go(navigation.traverseTo(over.below));
}

/** Leads back to the page below, without a question. @param isKept true if that page stays as it is */
export function finishOver(isKept) {
  const { below } = over;
  if (isKept) closeOver();
  go(navigation.traverseTo(below, { info: isKept ? { shows: () => undefined } : CHANGED }));
}

function go({ committed, finished }) {
  for (const promise of [committed, finished]) promise.catch(() => undefined);
}

/** Closes the dialog, at whatever address. */
export function closeOver() {
  if (over === null) return;
  const { dialog, lent, title } = over;
  over = null;
  dialog.close();
  dialog.remove();
  dropStyles();
  for (const { lender, id } of lent) lender.id = id;
  document.title = title;
}

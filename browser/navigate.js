// Links and filters within the platform without a reload: the next page is fetched, and its content takes the place of
// the present one. The Navigation API says what a click, a form or the history leads to, waits with the address until
// the page is there, ends what a newer click overtakes, and keeps scroll and focus; where it is missing, and for
// whatever is not a page of the same kind, the browser loads the page as ever.

import { Idiomorph } from 'idiomorph';
import { pageHasChanged, say } from './page.js';

const isSupported = 'navigation' in globalThis && 'NavigationPrecommitController' in globalThis;

/** The parts of a page that change. */
const PARTS = ['header', 'main'];

const MORPH = {
  morphStyle: 'outerHTML',
  // What is being typed stays, and what the user has opened stays open, except menus.
  ignoreActiveValue: true,
  callbacks: {
    beforeAttributeUpdated: (name, element) => name !== 'open' || element.matches('[data-menu]'),
  },
};

const WHOLE = 'whole page';
const isInPlatform = ({ pathname }) => pathname.startsWith('/platform/');

if (isSupported) {
  globalThis.navigation.addEventListener('navigate', (event) => {
    const to = new URL(event.destination.url);
    if (!isTaken(event) || !isInPlatform(location) || !isInPlatform(to)) return;
    take(event, to);
  });
  document.addEventListener('change', ({ target }) => {
    if (target.matches('form[data-live] select')) target.form.requestSubmit();
  });
}

function isTaken({ canIntercept, hashChange, downloadRequest, formData, navigationType, info }) {
  const isOther = hashChange || downloadRequest !== null || formData || navigationType === 'reload' || info === WHOLE;
  return canIntercept && !isOther;
}

let last;

function take(event, to) {
  const { navigationType, sourceElement, signal } = event;
  const isBack = navigationType === 'traverse';
  // A filter, an order or a period; the navigation above leads to a page as it begins.
  const isSame = to.pathname === location.pathname && !sourceElement?.closest('header');
  const staysThere = isSame && to.searchParams.get('cursor') === new URLSearchParams(location.search).get('cursor');
  let next = null;
  const load = async () => {
    last = event;
    setBusy(true);
    try {
      next = await pageAt(to, signal);
    } catch (error) {
      if (!signal.aborted) loadWhole(to, navigationType);
      throw error;
    } finally {
      if (last === event) setBusy(false);
    }
  };
  event.intercept({
    focusReset: isSame ? 'manual' : 'after-transition',
    scroll: staysThere && !isBack ? 'manual' : 'after-transition',
    // The address of a step in the history changes at once.
    ...(!isBack && { precommitHandler: load }),
    handler: async () => {
      if (isBack) await load();
      show(next, isSame);
    },
  });
}

/** A page that can take the place of this one. Throws if it is none. */
async function pageAt(to, signal) {
  // Where it leads elsewhere, such as to the sign-in, the browser itself is led there.
  const response = await fetch(to, { signal, redirect: 'manual', headers: { Accept: 'text/html' } });
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html');
  if (!response.ok || !isPage) throw new Error(`not a page: ${response.status}`);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  // Those of a newer version of the service, which this page does not have.
  if (filesOf(next) !== filesOf(document)) throw new Error('other files');
  // Its form would be sent by the policy of this page, for referrers and so for the origin.
  if (next.querySelector('form[data-whole-page]')) throw new Error('a page of its own');
  if (PARTS.some((part) => !next.querySelector(part))) throw new Error('another frame');
  return next;
}

const filesOf = ({ head }) =>
  [...head.querySelectorAll('link[rel="stylesheet"], script')].map((file) => file.href || file.src).join(' ');

function loadWhole({ href }, navigationType) {
  if (navigationType === 'traverse') return location.reload();
  const history = navigationType === 'replace' ? 'replace' : 'push';
  const { committed, finished } = globalThis.navigation.navigate(href, { history, info: WHOLE });
  // A download leads nowhere.
  for (const promise of [committed, finished]) promise.catch(() => undefined);
}

function setBusy(isBusy) {
  document.querySelector('main').ariaBusy = isBusy ? 'true' : null;
}

function show(next, isSame) {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  document.title = next.title;
  for (const part of PARTS) {
    const [former, now] = [document, next].map((page) => page.querySelector(part));
    if (isSame) void Idiomorph.morph(former, now, MORPH);
    else former.replaceWith(document.adoptNode(now));
  }
  pageHasChanged();
  const main = document.querySelector('main');
  // What had the focus may not be on the page, such as a filter that was removed.
  if (isSame && document.activeElement === document.body) main.focus({ preventScroll: true });
  say((isSame && main.querySelector('[data-said]')?.textContent) || document.title);
}

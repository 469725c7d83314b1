// Links and filters within the platform without a reload: the next page is fetched, and its content takes the place of
// the present one. The Navigation API waits with the address until the page is there, ends what a newer click overtakes,
// and keeps scroll and focus; where it is missing, and for what is no page of the same kind, the browser loads the page.

import { closeNow } from './confirm.js';
import { staysHere } from './leave.js';
import { morph } from './morph.js';
import { closeOver, closesOver, opensOver, showOver } from './over.js';
import { pageHasChanged, say } from './page.js';
import { dropStyles, takeStyles } from './styles.js';
import { forgetTrouble, NO_RESPONSE, sayTrouble } from './trouble.js';
import { keepTyped, stay } from './typed.js';
import { text } from './words.js';

const { navigation } = globalThis;
const isSupported = navigation !== undefined && 'NavigationPrecommitController' in globalThis;

/** The parts of a page that change. */
const PARTS = ['header', 'main'];

const AS_IT_IS = { focusReset: 'manual', scroll: 'manual' };
const WHOLE = 'whole page';
const BACK_HERE = 'back here';
const isInPlatform = ({ pathname }) => pathname.startsWith('/platform/');

navigation?.addEventListener('navigate', (event) => {
  const { info, defaultPrevented } = event;
  if (!info?.shows) inPlace?.abort();
  if (info?.shows) event.intercept({ ...AS_IT_IS, handler: async () => info.shows() });
  else if (info === BACK_HERE) event.intercept(AS_IT_IS);
  else if (!defaultPrevented && closesOver(event)) event.intercept({ ...AS_IT_IS, handler: async () => closeOver() });
  else if (isSupported && !defaultPrevented && isTaken(event)) take(event, new URL(event.destination.url));
});

if (isSupported)
  document.addEventListener('change', ({ target }) => {
    if (target.matches('form[data-live] select')) target.form.requestSubmit();
  });

function isTaken({ canIntercept, hashChange, downloadRequest, formData, navigationType, info, destination }) {
  const isOther = hashChange || downloadRequest !== null || formData || navigationType === 'reload' || info === WHOLE;
  return canIntercept && !isOther && isInPlatform(location) && isInPlatform(new URL(destination.url));
}

let last;

function take(event, to) {
  const { navigationType, signal } = event;
  const isBack = navigationType === 'traverse';
  // A filter, an order or a period; the navigation above leads to a page as it begins.
  const isSame = staysHere(event);
  const isOver = opensOver(event);
  const staysThere = isSame && to.searchParams.get('cursor') === new URLSearchParams(location.search).get('cursor');
  const typing = typingNow();
  const here = navigation.currentEntry.key;
  let next = null;
  const load = async () => {
    last = event;
    setBusy(true);
    try {
      next = await pageAt(to, signal);
    } catch (error) {
      if (!signal.aborted) fail(error, event, here);
      throw error;
    } finally {
      if (last === event) setBusy(false);
    }
  };
  event.intercept({
    focusReset: isSame || isOver ? 'manual' : 'after-transition',
    scroll: isOver || (staysThere && !isBack) ? 'manual' : 'after-transition',
    // The address of a step in the history changes at once.
    ...(!isBack && { precommitHandler: load }),
    handler: async () => {
      if (isBack) await load();
      if (isOver && next.querySelector('main [data-over]')) showOver(next, here);
      else show(next, isSame, typing);
    },
  });
}

/** Ends the request of `showInPlace`. */
let inPlace = null;

export const forgetInPlace = () => inPlace?.abort();

/**
 * Shows another state of this page, such as the list for the search text so far, in place of the present one in the
 * history. What a later call or a navigation overtakes is not shown. A form with a `body` keeps the address; `prepare`
 * gets the page before it is shown, also one of a refused form; `trouble` says that there is none.
 */
export async function showInPlace(to, options = {}) {
  const { body, prepare, trouble = text('scripts.notSearched') } = options;
  inPlace?.abort();
  const ending = new AbortController();
  inPlace = ending;
  const { signal } = ending;
  const typing = typingNow();
  setBusy(true);
  try {
    const next = await pageAt(to, signal, body, prepare !== undefined);
    if (signal.aborted) return;
    prepare?.(next);
    stepHere(() => show(next, true, typing), body ? location.href : to.href);
  } catch (error) {
    if (signal.aborted) return;
    const sentence = error instanceof NoResponse ? NO_RESPONSE : trouble;
    sayTrouble(document.querySelector('main'), sentence, () => void showInPlace(to, options));
    // The person is still typing.
    typing.field.focus();
  } finally {
    if (inPlace === ending) setBusy(false);
  }
}

class NoResponse extends Error {}

function noResponse(cause) {
  throw new NoResponse(NO_RESPONSE, { cause });
}

/** A page that can take the place of this one. Throws if it is none. */
async function pageAt(to, signal, body, isRefusedToo = false) {
  // Where it leads elsewhere, such as to the sign-in, the browser itself is led there.
  const init = { signal, redirect: 'manual', headers: { Accept: 'text/html' }, ...(body && { method: 'POST', body }) };
  const response = await fetch(to, init).catch(noResponse);
  const { ok, status, headers } = response;
  const isPage = headers.get('Content-Type')?.startsWith('text/html') && (ok || (isRefusedToo && status === 400));
  if (!isPage) throw new Error(`not a page: ${status}`);
  const next = new DOMParser().parseFromString(await response.text().catch(noResponse), 'text/html');
  // Those of a newer version of the service, which this page does not have.
  if (filesOf(next) !== filesOf(document)) throw new Error('other files');
  // Its form would be sent by the policy of this page, for referrers and so for the origin.
  if (next.querySelector('form[data-whole-page]')) throw new Error('a page of its own');
  const isSameFrame = next.body.className === document.body.className;
  if (!isSameFrame || PARTS.some((part) => !next.querySelector(part))) throw new Error('another frame');
  await takeStyles(next);
  return next;
}

const filesOf = ({ head }) =>
  [...head.querySelectorAll('link[rel="stylesheet"]:not([data-own]), script')]
    .map((file) => file.href || file.src)
    .join(' ');

function fail(error, { navigationType, destination: { url, key } }, here) {
  const isStep = navigationType === 'traverse';
  if (!(error instanceof NoResponse)) return loadWhole(url, navigationType);
  const again = () => (isStep ? go(navigation.traverseTo(key)) : go(navigation.navigate(url)));
  // The address is that of the page which stays.
  if (isStep) go(navigation.traverseTo(here, { info: BACK_HERE }));
  stay();
  sayTrouble(document.querySelector('main'), error.message, again);
}

/** Lets the browser load an address. */
export function loadWhole(href, navigationType = 'push') {
  const to = new URL(href, location.href);
  if (navigationType === 'traverse') return location.reload();
  if (!navigation) return location.assign(to);
  // A fragment alone would load nothing.
  if (to.hash !== '') {
    if (to.pathname + to.search === location.pathname + location.search) {
      history.replaceState(null, '', to);
      return location.reload();
    }
  }
  const isHere = to.href === location.href;
  go(
    navigation.navigate(to.href, { history: isHere || navigationType === 'replace' ? 'replace' : 'push', info: WHOLE }),
  );
}

// A download leads nowhere.
function go({ committed, finished }) {
  for (const promise of [committed, finished]) promise.catch(() => undefined);
}

export function setBusy(isBusy) {
  document.querySelector('main').ariaBusy = isBusy ? 'true' : null;
}

/** The field that has the focus, with its value. */
function typingNow() {
  const { activeElement: field } = document;
  return { field, value: field?.value };
}

function show(next, isSame, typing) {
  dropStyles(next);
  closeDialogs();
  document.title = next.title;
  const typeAgain = keepTyped();
  // A field that a person has typed into since the navigation began keeps that.
  const { field } = typing;
  const typedSince = field?.value === typing.value || field !== document.activeElement ? undefined : field?.value;
  const caret = field?.selectionStart;
  for (const part of PARTS) {
    const [former, now] = [document, next].map((page) => page.querySelector(part));
    if (isSame) morph(former, now);
    else former.replaceWith(document.adoptNode(now));
  }
  if (isSame) typeAgain();
  if (typedSince !== undefined) {
    field.value = typedSince;
    // Other fields, such as those of numbers, have none.
    if (Number.isInteger(caret)) field.setSelectionRange(caret, caret);
  }
  pageHasChanged();
  // A menu closes once something in it is chosen.
  document.activeElement.closest('[data-menu]:not([open])')?.querySelector('summary').focus({ preventScroll: true });
  const main = document.querySelector('main');
  // What had the focus may not be on the page, such as a filter that was removed.
  if (isSame && document.activeElement === document.body) main.focus({ preventScroll: true });
  say((isSame && main.querySelector('[data-said]')?.textContent) || document.title);
}

function closeDialogs() {
  forgetTrouble();
  closeOver();
  for (const dialog of document.querySelectorAll('dialog[open]')) closeNow(dialog);
}

/** Shows the response to a form, as a page that is not that of the address. */
export function showResponse(next, id) {
  const shows = () => {
    dropStyles(next);
    closeDialogs();
    document.title = next.title;
    for (const part of PARTS) document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
    document.querySelector('main').dataset.answer = '';
    pageHasChanged();
    scrollTo(0, 0);
    (
      document.getElementById(id) ??
      document.querySelector('main [autofocus]') ??
      document.querySelector('main')
    ).focus();
    say(document.title);
  };
  stepHere(shows);
}

/** Shows something in place of what is shown, at the same address or another one. */
export function stepHere(shows, href = location.href) {
  if (navigation) return go(navigation.navigate(href, { history: 'replace', info: { shows } }));
  history.replaceState(history.state, '', href);
  shows();
}

/** True if the response to a form can take the place of this page. */
export const isPage = (next) => PARTS.every((part) => next.querySelector(part) !== null);

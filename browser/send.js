// Forms are sent without leaving their page. Where the network fails, or the service does not take a form now, the page
// stays as it is, with files and passwords too. Otherwise it becomes what the form leads to.

import { openDialog } from './confirm.js';
import { copyLater } from './copied.js';
import { askToLeave } from './leave.js';
import { isPage, loadWhole, setBusy, showResponse, stepHere } from './navigate.js';
import { finishOver, noteChange, showOver } from './over.js';
import { takeStyles } from './styles.js';
import { forgetTrouble, NO_RESPONSE, sayTrouble } from './trouble.js';
import { element } from './element.js';
import { hasUnsaved, isUnsaved, leave } from './typed.js';
import { text } from './words.js';

/**
 * Asks the service for the address of a redirect, which a script does not see otherwise. A response has it too: with
 * `signed-out` if it leads to the sign-in because the session has expired, with `to-confirm` if it leads to the page that
 * asks who its user is, and with `unconfirmed` if the form may have been saved.
 */
const BY_SCRIPT = 'Terse-Form';
const SHORT_URL = 'Terse-Short-Url';
export const HEADERS = { Accept: 'text/html', [BY_SCRIPT]: 'script' };

const SIGN_IN = '/platform/sign-in';
const CONFIRM = '/platform/confirm';

/** The forms that are being sent, or were sent and whose page is about to be left. */
let underWay = new WeakSet();

addEventListener('pageshow', () => (underWay = new WeakSet()));

// After the listeners of the document, which take forms of their own.
addEventListener('submit', (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  if (ofBrowser.delete(form)) return;
  if (defaultPrevented || (submitter?.getAttribute('formmethod') ?? form.getAttribute('method')) !== 'post') return;
  event.preventDefault();
  if (!underWay.has(form)) void take(form, submitter);
});

async function take(form, submitter) {
  underWay.add(form);
  const work = form.querySelector('[name="nonce"]') ? sendOnce : send;
  if (!(await work(form, submitter))) underWay.delete(form);
}

/** Forms that the browser sends itself. */
const ofBrowser = new WeakSet();

// The response has a secret, and a reload of it must not show the form again, so the browser sends the form itself, if
// the service responds at all. Returns true once it does.
async function sendOnce(form, submitter) {
  if (!(await askToLeave(document, form))) return false;
  forgetTrouble();
  setBusy(true);
  try {
    await fetch(location.href, { method: 'HEAD' });
  } catch {
    return say(form, NO_RESPONSE, () => form.requestSubmit(submitter));
  } finally {
    setBusy(false);
  }
  if (!form.isConnected) return false;
  leave();
  ofBrowser.add(form);
  form.requestSubmit(submitter);
  return true;
}

/** Returns true if the page is left for the one that the form leads to. */
async function send(form, submitter) {
  const dialog = form.closest('dialog.over');
  // The page below a dialog stays.
  if (!dialog && !(await askToLeave(document, form))) return false;
  const main = document.querySelector('main');
  const isBelowKept = hasUnsaved(main);
  const copy = form.querySelector('[data-copies]') && submitter?.name !== 'do' ? copyLater() : async () => undefined;
  const again = () => form.requestSubmit(submitter?.isConnected ? submitter : null);
  let response, next;
  setBusy(true);
  try {
    response = await request(form, submitter);
    next = new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    void copy(null);
    // Another page is shown meanwhile, here and below.
    return main.isConnected ? say(form, NO_RESPONSE, again) : false;
  } finally {
    setBusy(false);
  }
  const { status, headers } = response;
  await copy(headers.get(SHORT_URL));
  if (!main.isConnected || (dialog && !dialog.isConnected)) return false;
  const place = headers.get('Location');
  const state = headers.get(BY_SCRIPT);
  if (state === 'signed-out' && isUnsaved(form)) {
    const words = [text('scripts.wereSignedOut', { link: '\n' }), text('scripts.signInElsewhere')];
    return sayElsewhere(form, SIGN_IN, words, again);
  }
  if (state === 'to-confirm' && isUnsaved(form)) {
    const words = [text('scripts.toConfirm', { link: '\n' }), text('scripts.confirmElsewhere')];
    return sayElsewhere(form, CONFIRM, words, again);
  }
  if (place !== null) {
    leave();
    if (dialog) return showAfter(place, isBelowKept);
    loadWhole(place);
    return true;
  }
  const mayPass = status === 429 || status >= 500;
  const error = next.querySelector(mayPass ? '[data-error], [role="alert"]' : '[data-error]');
  if (error || mayPass || !isPage(next)) {
    const sentence = error?.textContent ?? text('scripts.status', { status: String(status) });
    // What may have been saved already must not be sent twice.
    return say(form, sentence, mayPass && state !== 'unconfirmed' ? again : null);
  }
  leave();
  await takeStyles(next);
  const id = new URL(actionOf(form, submitter)).hash.slice(1);
  if (dialog && next.querySelector('[data-over]')) {
    showOver(next, null, id);
    return false;
  }
  const asked = form.closest('dialog') && next.querySelector('[data-confirm]');
  if (asked) stepHere(() => openDialog(form.action, asked));
  else showResponse(next, id);
  return false;
}

/** Shows what a form in the dialog leads to: the form of another link, or the page below. Returns false. */
async function showAfter(place, isBelowKept) {
  const isAnother = new URL(place, location.href).pathname === document.querySelector('header').dataset.create;
  if (!isAnother) {
    finishOver(isBelowKept);
    return false;
  }
  const page = await fetch(place, { headers: { Accept: 'text/html' } });
  showOver(new DOMParser().parseFromString(await page.text(), 'text/html'));
  if (!isBelowKept) noteChange();
  return false;
}

/** `say` with a link to a page of another tab, whose place in the sentence is a line break. */
function sayElsewhere(form, href, [sentence, label], again) {
  const [before, after] = sentence.split('\n');
  return say(form, before, again, [element('a', { href, target: '_blank' }, label), after]);
}

/** Returns false: the page stays. */
function say(form, sentence, again, content = []) {
  const kept = isUnsaved(form) ? [...content, ` ${text('scripts.stillHere')}`] : content;
  // A form that is only a button has no room for a sentence, and that of a closed dialog is not on the page.
  const hasRoom = form.matches('.form') && form.isConnected;
  sayTrouble(hasRoom ? form : document.querySelector('main'), sentence, again, kept);
  return false;
}

function request(form, submitter) {
  forgetTrouble();
  const fields = new FormData(form, submitter);
  const isMultipart = form.enctype === 'multipart/form-data';
  return fetch(actionOf(form, submitter), {
    method: 'POST',
    headers: HEADERS,
    body: isMultipart ? fields : new URLSearchParams([...fields].map(asBrowsersSend)),
  });
}

const asBrowsersSend = ([name, value]) => [name, value.replaceAll(/\r\n?|\n/g, '\r\n')];

const actionOf = (form, submitter) =>
  new URL(submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', location.href).href;

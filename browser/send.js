// Forms are sent without leaving their page. Where the network fails, or the service does not take a form now, the page
// stays as it is, with files and passwords too. Otherwise it becomes what the form leads to.

import { openDialog } from './confirm.js';
import { askToLeave } from './leave.js';
import { isPage, loadWhole, setBusy, showAnswer, stepHere } from './navigate.js';
import { forgetTrouble, NO_RESPONSE, sayTrouble } from './trouble.js';
import { element } from './element.js';
import { isUnsaved, leave } from './typed.js';

/**
 * Asks the service for the address of a redirect, which a script does not see otherwise. A response has it too if it
 * leads to the sign-in because the session has expired.
 */
const BY_SCRIPT = 'Terse-Form';
const HEADERS = { Accept: 'text/html', [BY_SCRIPT]: 'script' };

const SIGN_IN = '/platform/sign-in';
const STILL_HERE = ' What you typed is still here.';

const underWay = new WeakSet();

// After the listeners of the document, which take forms of their own.
addEventListener('submit', (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  if (ofBrowser.delete(form)) return;
  if (defaultPrevented || (submitter?.getAttribute('formmethod') ?? form.getAttribute('method')) !== 'post') return;
  event.preventDefault();
  if (underWay.has(form)) return;
  underWay.add(form);
  const work = form.querySelector('[name="nonce"]') ? sendOnce : send;
  void work(form, submitter).finally(() => underWay.delete(form));
});

/** Forms that the browser sends itself. */
const ofBrowser = new WeakSet();

// The response has a secret, and a reload of it must not show the form again, so the browser sends the form itself, if
// the service responds at all.
async function sendOnce(form, submitter) {
  if (!(await askToLeave(document, form))) return;
  forgetTrouble();
  setBusy(true);
  try {
    await fetch(location.href, { method: 'HEAD' });
  } catch {
    return say(form, NO_RESPONSE, () => form.requestSubmit(submitter));
  } finally {
    setBusy(false);
  }
  leave();
  ofBrowser.add(form);
  form.requestSubmit(submitter);
}

async function send(form, submitter) {
  if (!(await askToLeave(document, form))) return;
  const again = () => form.requestSubmit(submitter?.isConnected ? submitter : null);
  let response, next;
  setBusy(true);
  try {
    response = await request(form, submitter);
    next = new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return say(form, NO_RESPONSE, again);
  } finally {
    setBusy(false);
  }
  const { status, headers } = response;
  const place = headers.get('Location');
  if (headers.has(BY_SCRIPT) && isUnsaved(form)) {
    const link = element('a', { href: SIGN_IN, target: '_blank' }, 'Sign in in another tab');
    return say(form, 'You were signed out. ', again, [link, ', then try again.']);
  }
  if (place !== null) {
    leave();
    return loadWhole(place);
  }
  const mayPass = status === 429 || status >= 500;
  const error = next.querySelector(mayPass ? '[data-error], [role="alert"]' : '[data-error]');
  if (error || mayPass || !isPage(next)) {
    const sentence = error?.textContent ?? `The service responded with the status ${status}.`;
    return say(form, sentence, mayPass ? again : null);
  }
  leave();
  const asked = form.closest('dialog') && next.querySelector('[data-confirm]');
  if (asked) stepHere(() => openDialog(form.action, asked));
  else showAnswer(next, new URL(actionOf(form, submitter)).hash.slice(1));
}

function say(form, sentence, again, content = []) {
  const kept = isUnsaved(form) ? [...content, STILL_HERE] : content;
  // A button alone has no room for it.
  sayTrouble(form.matches('.form') ? form : document.querySelector('main'), sentence, again, kept);
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

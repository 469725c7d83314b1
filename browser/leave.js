// Asks before something is left that was typed and not sent: by a link, the history, another form or a closed tab.

import { element } from './element.js';
import { closesOver, isOver, opensOver } from './over.js';
import { hasUnsaved, leave } from './typed.js';
import { text } from './words.js';

/** The `info` of a navigation after the question. */
const ASKED = 'asked';

addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});

globalThis.navigation?.addEventListener('navigate', (event) => {
  const { cancelable, hashChange, downloadRequest, formData, navigationType, info, destination } = event;
  const isOther = hashChange || downloadRequest !== null || formData || navigationType === 'reload';
  if (!cancelable || isOther || info !== undefined) return;
  // The same page keeps what was typed, but no dialog; and so does the page below one that is opened or closed.
  const isKept = staysHere(event) || closesOver(event) || (opensOver(event) && !isOver());
  const leaves = isKept ? document.querySelector('dialog[open]') : document;
  if (leaves === null || !hasUnsaved(leaves, formOf(event))) return;
  event.preventDefault();
  void askAndFollow(navigationType, destination);
});

/** True if a navigation shows the same page, such as another order of its list, where what was typed stays. */
export function staysHere({ destination, sourceElement }) {
  const isSame = new URL(destination.url).pathname === location.pathname;
  const isShown = document.querySelector('main[data-answer]') === null;
  return isSame && isShown && !sourceElement?.closest('header');
}

/** Returns whether what was typed may be lost: asks if there is any. */
export async function askToLeave(root = document, except = null) {
  return !hasUnsaved(root, except) || (await ask());
}

// The fields of the form that leads there are sent with it.
const formOf = ({ sourceElement: source }) => (source?.tagName === 'FORM' ? source : (source?.form ?? null));

async function askAndFollow(navigationType, { key, url }) {
  if (!(await ask())) return;
  leave();
  const isStep = navigationType === 'traverse';
  const { committed, finished } = isStep
    ? globalThis.navigation.traverseTo(key, { info: ASKED })
    : globalThis.navigation.navigate(url, { history: navigationType, info: ASKED });
  for (const promise of [committed, finished]) promise.catch(() => undefined);
}

const button = (kind, value, label) => element('button', { className: `button ${kind}`, value }, label);

let asking = null;

// Who steps back twice is asked once.
const ask = () => (asking ??= openQuestion());

function openQuestion() {
  const heading = element('h1', { id: 'leave-title' }, text('scripts.leaveTitle'));
  const stay = button('quiet', 'stay', text('scripts.stay'));
  stay.autofocus = true;
  const actions = element('div', { className: 'actions' }, button('danger', 'leave', text('scripts.leave')), stay);
  const form = element('form', { method: 'dialog' }, actions);
  const sentence = element('p', { id: 'leave-sentence' }, text('scripts.notSaved'));
  const dialog = element('dialog', {}, element('div', { className: 'confirm' }, heading, sentence, form));
  dialog.setAttribute('aria-labelledby', heading.id);
  dialog.setAttribute('aria-describedby', sentence.id);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const finish = (isLeft) => {
      asking = null;
      dialog.close();
      dialog.remove();
      resolve(isLeft);
    };
    // At once: the event of a closed dialog comes later, and another question may be due before.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      finish(event.submitter?.value === 'leave');
    });
    dialog.addEventListener('cancel', () => finish(false));
    dialog.addEventListener('close', () => dialog.isConnected && finish(false));
  });
}

// The QR code of a link is drawn as its settings change. Where no script runs, a button does it.

import { element } from './element.js';
import { forgetInPlace, showInPlace } from './navigate.js';
import { WAIT_MS } from './search.js';
import { text } from './words.js';

let waiting = null;

for (const type of ['input', 'change'])
  document.addEventListener(type, ({ target }) => {
    const form = target.closest('form[data-redraws]');
    if (!form) return;
    clearTimeout(waiting);
    // Its page would have the settings as they were.
    forgetInPlace();
    waiting = setTimeout(() => redraw(form), WAIT_MS);
  });

document.addEventListener('submit', () => clearTimeout(waiting));

function redraw(form) {
  if (!form.isConnected) return;
  const url = new URL(form.action);
  const fields = new FormData(form);
  const isPosted = form.method === 'post';
  if (!isPosted) url.search = new URLSearchParams([...fields].filter(([, value]) => value !== ''));
  if (!isPosted && url.href === location.href) return;
  const trouble = text('scripts.notDrawn');
  void showInPlace(url, { trouble, prepare: isPosted ? prepareResponse : prepare, ...(isPosted && { body: fields }) });
}

/** Leaves the last good code on a page without one, and its errors beside their fields alone. */
function prepare(next) {
  const [former, code] = [document, next].map((page) => page.querySelector('.qr'));
  const fault = next.querySelector('form[data-redraws] .fault');
  if (fault) {
    fault.dataset.said = '';
    next.querySelector('form[data-redraws] > .notice').remove();
  }
  const image = former.querySelector('img');
  if (!image || code.querySelector('img')) return;
  const sentence = text('scripts.codeBefore');
  const old = element('p', { className: 'notice warning' }, sentence);
  code.replaceChildren(image.cloneNode(), old);
  code.dataset.old = '';
}

function prepareResponse(next) {
  prepare(next);
  next.querySelector('main').dataset.answer = '';
}

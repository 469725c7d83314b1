// The front page's demonstration: what a typed address becomes. It is drawn here, asks no server and stores nothing; only
// the code that draws QR codes is loaded when it is first needed. Without scripts there is a picture of an example.

import './copy.js';
import { drawnSlug, hostOf, readAddress, wordsOf } from './front-address.js';

const demo = document.querySelector('[data-demo]');
const parts = Object.fromEntries(
  ['still', 'form', 'host', 'slug', 'count', 'ruler', 'card', 'picture', 'letter', 'title', 'site', 'qr', 'note'].map(
    (name) => [name, demo.querySelector(`[data-${name}]`)],
  ),
);
const field = parts.form.querySelector('input');
const { service, code, alphabet, length } = demo.dataset;
const slug = drawnSlug(alphabet, Number(length));

parts.still.hidden = true;
parts.form.hidden = false;

field.addEventListener('input', () => draw());
parts.form.addEventListener('submit', (event) => {
  event.preventDefault();
  const short = draw();
  parts.note.textContent = short === null ? NO_ADDRESS : `It becomes ${short}. ${said}`;
  if (short === null) field.setAttribute('aria-invalid', 'true');
  field.focus();
  field.select();
});

const NO_ADDRESS = 'That is no address. Type one such as example.com/a/long/page.';
const said = parts.note.textContent;

/** Draws what the typed address becomes, and gives it; null if it is no address. */
function draw() {
  const url = readAddress(field.value);
  if (url === null) return null;
  if (field.hasAttribute('aria-invalid')) parts.note.textContent = said;
  field.removeAttribute('aria-invalid');
  const short = `${service}/${slug}`;
  parts.host.textContent = service;
  parts.slug.textContent = slug;
  show(short.length, url.href.length);
  parts.picture.setAttribute('hidden', '');
  parts.letter.hidden = false;
  const host = hostOf(field.value);
  parts.letter.textContent = host
    .replace(/^www\./, '')
    .charAt(0)
    .toUpperCase();
  parts.title.textContent = wordsOf(url) || host;
  parts.site.textContent = service;
  parts.card.querySelector('[data-about]').textContent = 'You choose title, text and picture';
  void drawCode(`${location.protocol}//${short}`);
  return short;
}

/** Says how much shorter it is, and measures both. */
function show(short, long) {
  parts.count.textContent =
    short < long ? `${short} characters instead of ${long}` : `${short} characters; yours has ${long}`;
  const most = Math.max(short, long);
  parts.ruler.setAttribute('viewBox', `0 0 ${most} 5`);
  const [whole, part] = parts.ruler.children;
  whole.setAttribute('d', `M0 0h${long}v2H0z`);
  part.setAttribute('d', `M0 3h${short}v2H0z`);
}

async function drawCode(text) {
  const { default: pathOf } = await import(code);
  const { path, size } = pathOf(text);
  const svg = parts.qr.querySelector('svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('aria-label', `QR code of ${text}`);
  svg.firstElementChild.setAttribute('d', path);
}

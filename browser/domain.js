// The steps of a domain check themselves every 20 seconds while they are seen, for ten minutes; then the button is left.

import { morph } from './morph.js';
import { onEachPage, pageHasChanged } from './page.js';
import { HEADERS } from './send.js';
import { text } from './words.js';

const PAUSE_MS = 20_000;
const MOST = 30;

let timer;

onEachPage(() => {
  clearTimeout(timer);
  if (steps()) wait(1);
});

function steps() {
  return document.querySelector('#setup[data-checks]');
}

function say(sentence) {
  const place = steps()?.querySelector('[data-checking]');
  if (place) place.textContent = sentence;
}

function wait(count) {
  if (count > MOST) return say(text('scripts.checkAgain'));
  say(text('scripts.checking'));
  timer = setTimeout(() => void check(count), PAUSE_MS);
}

async function check(count) {
  const place = steps();
  if (!place) return;
  if (document.hidden) return wait(count);
  // Neither a failure nor an outage ends it: the next check may be answered.
  const response = await fetch(place.dataset.checks, { method: 'POST', headers: HEADERS }).catch(() => null);
  if (place !== steps()) return;
  // The domain is active, which its page shows.
  if (response?.status === 204) return location.assign(location.pathname.replace(/\/verify$/, ''));
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector('#setup');
    if (next) {
      morph(place, next);
      pageHasChanged();
      clearTimeout(timer);
    }
  }
  wait(count + 1);
}

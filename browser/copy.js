// Buttons that copy a text.

import { onEachPage, say } from './page.js';

const SHOWN_MS = 2000;

onEachPage(() => {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = textOf(button) === null;
});

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) navigator.clipboard.writeText(textOf(button)).then(show(button, 'Copied'), show(button, 'Not copied'));
});

/** The text that a button copies; null if it cannot. */
function textOf({ dataset }) {
  if (!navigator.clipboard) return null;
  if (dataset.text !== undefined) return dataset.text;
  const source = document.getElementById(dataset.copy);
  return source && (source.value ?? source.textContent);
}

/** The labels of the buttons that show an outcome. */
const labels = new WeakMap();

const show = (button, text) => () => {
  if (!labels.has(button)) labels.set(button, button.textContent);
  button.textContent = text;
  say(text);
  setTimeout(() => {
    // Another page may have given the button its label meanwhile.
    if (button.textContent === text) button.textContent = labels.get(button);
    labels.delete(button);
    say('');
  }, SHOWN_MS);
};

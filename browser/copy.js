// Buttons that copy a text.

import { onEachPage, say } from './page.js';
import { text } from './words.js';

const SHOWN_MS = 2000;

onEachPage(() => {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = textOf(button) === null;
});

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) navigator.clipboard.writeText(textOf(button)).then(show(button, true), show(button, false));
});

/** The text that a button copies; null if it cannot. */
function textOf({ dataset }) {
  if (!navigator.clipboard) return null;
  if (dataset.text !== undefined) return dataset.text;
  const source = document.getElementById(dataset.copy);
  return source && (source.value ?? source.textContent);
}

/** The labels of the buttons that show an outcome, or their icons. */
const labels = new WeakMap();

const show = (button, isCopied) => () => {
  const said = text(isCopied ? 'copying.copied' : 'copying.notCopied');
  const icon = button.querySelector('use');
  const [read, write] = icon
    ? [() => icon.getAttribute('href'), (href) => icon.setAttribute('href', href)]
    : [() => button.textContent, (label) => (button.textContent = label)];
  if (!labels.has(button)) labels.set(button, read());
  const outcome = icon ? labels.get(button).replace(/#.*/, isCopied ? '#check' : '#x') : said;
  write(outcome);
  say(said);
  setTimeout(() => {
    // Another page may have given the button its label meanwhile.
    if (read() === outcome) write(labels.get(button));
    labels.delete(button);
    say('');
  }, SHOWN_MS);
};

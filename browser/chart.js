// The numbers of a chart at the pointer, and at the place that the arrow keys choose. They are those of its table.

import { element } from './element.js';
import { onEachPage, say } from './page.js';
import { text } from './words.js';

const PLOT = '[data-plot]';
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

let shown = null;

onEachPage(() => {
  hide();
  for (const plot of document.querySelectorAll(PLOT)) {
    plot.tabIndex = 0;
    plot.role = 'group';
    plot.ariaLabel = text('scripts.chart');
  }
});

document.addEventListener('pointermove', ({ target, clientX }) => {
  const plot = target.closest?.(PLOT);
  if (plot) show(plot, indexAt(plot, clientX));
  else if (!shown?.plot.matches(':focus-visible')) hide();
});

document.addEventListener('click', ({ target, clientX, pointerType }) => {
  const plot = target.closest?.(PLOT);
  if (!plot) return;
  show(plot, indexAt(plot, clientX));
  // A touch reads, as the pointer does before it presses.
  if (pointerType === 'mouse') open(plot);
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!target.matches?.(PLOT) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Escape') hide();
  else if (key === 'Enter') open(target);
  else if (key in KEYS) {
    event.preventDefault();
    const last = rowsOf(target).length - 1;
    const from = shown?.plot === target ? shown.index : KEYS[key] < 0 ? last + 1 : -1;
    say(show(target, Math.min(last, Math.max(0, from + KEYS[key]))));
  }
});

document.addEventListener('focusout', ({ target }) => {
  if (target === shown?.plot) hide();
});

const tableOf = (plot) => plot.closest('figure').querySelector('table');
/** The rows of the table, which begins with the last one. */
const rowsOf = (plot) => [...tableOf(plot).tBodies[0].rows].toReversed();
const open = (plot) => rowsOf(plot)[shown?.index]?.querySelector('a')?.click();

function indexAt(plot, clientX) {
  const { left, width } = plot.querySelector('svg').getBoundingClientRect();
  const index = Math.round(((clientX - left) / width) * (plot.dataset.plot - 1));
  return Math.min(rowsOf(plot).length - 1, Math.max(0, index));
}

/** Returns the text that is shown. */
function show(plot, index) {
  const table = tableOf(plot);
  const row = rowsOf(plot)[index];
  if (!row) return '';
  const headings = [...table.tHead.rows[0].cells];
  const column = headings.findIndex(({ dataset }) => dataset.shown !== undefined);
  const before = headings.findIndex(({ dataset }) => dataset.before !== undefined);
  const lines = [`${headings[column].textContent}: ${row.cells[column].textContent}`];
  if (before > 0) lines.push(`${headings[before].textContent}: ${row.cells[before].textContent}`);
  const name = row.cells[0].textContent;
  if (shown?.plot !== plot || shown.index !== index || !shown.tip.isConnected) {
    hide();
    const tip = element(
      'div',
      { className: 'tip' },
      element('b', {}, name),
      ...lines.map((line) => element('div', {}, line)),
    );
    const cross = element('div', { className: 'cross' });
    plot.append(cross, tip);
    shown = { plot, index, tip, cross };
    place(shown);
  }
  return `${name}. ${lines.join('. ')}`;
}

function place({ plot, index, cross, tip }) {
  const [box, drawing] = [plot, plot.querySelector('svg')].map((part) => part.getBoundingClientRect());
  const places = plot.dataset.plot - 1;
  const left = drawing.left - box.left + (places === 0 ? 0.5 : index / places) * drawing.width;
  cross.style.left = `${left}px`;
  const space = 12;
  const isRight = left + space + tip.offsetWidth <= box.width;
  tip.style.left = `${isRight ? left + space : Math.max(0, left - space - tip.offsetWidth)}px`;
}

addEventListener('resize', () => shown && place(shown));

function hide() {
  shown?.tip.remove();
  shown?.cross.remove();
  shown = null;
}

// Shows how far the import of a large file has come, and its result.

import { ONLY_TOTAL } from '../src/links/import/row-notes.ts';
import { toCsvLines } from '../src/text/spreadsheet.ts';
import { count, text } from './words.js';

const MAX_SHOWN = 200;
const SAID_MS = 30_000;

/** Sends a file, with buttons to stop and to continue. Resolves at its end, or when it first stops. */
export function showImport(content, sending, { name }) {
  const main = document.querySelector('main');
  main.replaceChildren(content);
  const part = (attribute) => main.querySelector(`[data-${attribute}]`);
  const [heading, bar] = ['h1', 'progress'].map((selector) => main.querySelector(selector));
  const [figures, rate, said, failure] = ['figures', 'rate', 'said', 'failure'].map(part);
  const [stop, next] = ['stop', 'continue'].map(part);
  const models = [...main.querySelectorAll('tbody tr')];
  const { state, rowCount } = sending;
  let stopping = null;
  let lastSaid = 0;

  // The name of the service follows the title of the page.
  const service = document.title.slice(document.title.lastIndexOf(' · '));

  bar.max = rowCount;
  part('name').textContent = name;
  for (const model of models) model.remove();

  const say = (sentence) => {
    said.textContent = sentence;
    lastSaid = Date.now();
  };

  const showFigures = (begun) => {
    bar.value = state.done;
    figures.textContent = text('importScript.doneOf', { done: count(state.done), rows: rowCount });
    rate.textContent = begun ? paceOf(begun) : '';
    const { created, unchanged, errors, noted, skipped } = state;
    const totals = [created, unchanged, errors.length, noted, skipped];
    for (const [index, total] of main.querySelectorAll('.totals dd').entries())
      total.textContent = count(totals[index]);
    if (begun && Date.now() - lastSaid > SAID_MS) say(`${figures.textContent}. ${rate.textContent}`);
  };

  const paceOf = ({ at, done }) => {
    const perSecond = (state.done - done) / Math.max((Date.now() - at) / 1000, 0.001);
    if (perSecond === 0) return '';
    const left = (rowCount - state.done) / perSecond;
    const rows = Math.round(perSecond);
    return left < 60
      ? text('importScript.paceSeconds', { rows, left: Math.ceil(left) })
      : text('importScript.paceMinutes', { rows, left: Math.round(left / 60) });
  };

  const showWait = (seconds) => {
    rate.textContent = text('importScript.waiting', { seconds });
  };

  const title = (key) => {
    const said = text(key);
    heading.textContent = said;
    document.title = said + service;
  };

  const setRunning = (isRunning) => {
    stop.hidden = !isRunning;
    stop.disabled = false;
    next.hidden = isRunning || sending.isWhole();
    for (const link of main.querySelectorAll('[data-after]')) link.hidden = isRunning;
    part('download="errors"').hidden = isRunning || state.errors.length === 0;
    part('download="notes"').hidden = isRunning || state.notes.length === 0;
    if (isRunning) addEventListener('beforeunload', keep);
    else removeEventListener('beforeunload', keep);
  };

  const sendAll = async () => {
    const begun = { at: Date.now(), done: state.done };
    stopping = new AbortController();
    const { signal } = stopping;
    while (!sending.isWhole() && !signal.aborted) {
      await sending.sendNext({ signal, onWait: showWait });
      showFigures(begun);
    }
  };

  const run = async () => {
    failure.hidden = true;
    title('importScript.importing');
    setRunning(true);
    showFigures(null);
    say(text('importScript.importingRows', { rows: rowCount }));
    stop.focus();
    let problem = null;
    try {
      await sendAll();
    } catch (error) {
      if (!stopping.signal.aborted) problem = error;
    }
    showFigures(null);
    showRows();
    showPending();
    setRunning(false);
    if (sending.isWhole()) return finish();
    title('importScript.stoppedTitle');
    rate.textContent = text('importScript.untilHere');
    if (problem) showFailure(problem);
    else say(text('importScript.stopped', { done: count(state.done), rows: rowCount }));
    next.focus();
  };

  const finish = () => {
    title('importScript.finishedTitle');
    say(text('importScript.finished', { links: state.created, errors: state.errors.length }));
    main.focus();
  };

  const showFailure = ({ message }) => {
    failure.textContent = message;
    failure.hidden = false;
  };

  const showRows = () => {
    // Most rows of another service may have that note.
    const notes = state.notes.filter(([, note]) => note !== ONLY_TOTAL);
    const rows = [
      ...state.errors.slice(0, MAX_SHOWN).map((row) => [models[0], row]),
      ...notes.slice(0, MAX_SHOWN).map((row) => [models[1], row]),
    ].slice(0, MAX_SHOWN);
    main.querySelector('tbody').replaceChildren(...rows.map(([model, row]) => filled(model, row)));
    part('rows').hidden = rows.length === 0;
    const more = state.errors.length + notes.length - rows.length;
    part('more').hidden = more === 0;
    part('more').textContent = text('importScript.more', { rows: more });
  };

  const showPending = () => {
    const items = [...state.pending].map(([host, txt]) => {
      const item = document.createElement('li');
      item.textContent = txt
        ? text('importScript.setTxt', { host, name: txt.name, value: txt.value })
        : text('importScript.ownerVerifies', { host });
      return item;
    });
    part('pending').hidden = items.length === 0;
    part('pending')
      .querySelector('ul')
      .replaceChildren(...items);
  };

  stop.addEventListener('click', () => {
    stop.disabled = true;
    rate.textContent = text('importScript.stopping');
    stopping.abort();
  });
  next.addEventListener('click', () => void run());
  part('download="errors"').addEventListener('click', () => save('errors', 'error', state.errors));
  part('download="notes"').addEventListener('click', () => save('notes', 'note', state.notes));
  return run();
}

const keep = (event) => event.preventDefault();

function filled(model, [number, sentence]) {
  const row = model.cloneNode(true);
  row.cells[0].textContent = count(number);
  row.cells[2].textContent = sentence;
  return row;
}

function save(name, column, rows) {
  const link = document.createElement('a');
  link.download = `import-${name}.csv`;
  link.href = URL.createObjectURL(new Blob([toCsvLines([['row', column]]) + toCsvLines(rows)], { type: 'text/csv' }));
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

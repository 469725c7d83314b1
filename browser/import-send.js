// Sends a file of links piece after piece, and adds up what the service says of each.

import { PIECE } from '../src/links/import/bounds.ts';
import { rowTooLong } from '../src/links/import/file-line.ts';
import { pieceFrom } from '../src/links/import/pieces.ts';
import { notesByRow } from '../src/links/import/row-notes.ts';
import { text } from './words.js';

const MAX_ATTEMPTS = 4;
const SECONDS_BETWEEN = 2;
const MAX_SECONDS = 120;

const byRow = ([one], [other]) => one - other;

/** An import, as far as it has come. */
export function openImport({ cut, kind, checked, action }) {
  const importId = crypto.randomUUID();
  const query = new URLSearchParams(checked);
  const state = {
    done: 0,
    rows: 0,
    created: 0,
    unchanged: 0,
    skipped: 0,
    noted: 0,
    errors: [],
    notes: [],
    pending: new Map(),
  };

  const add = (response, tooLong) => {
    state.rows += response.rows + tooLong.length;
    state.created += response.created;
    state.unchanged += response.unchanged;
    state.skipped += response.skipped.length;
    state.noted += response.noted.length;
    const errors = [...tooLong, ...response.refused.map(({ row, error }) => [row, error])];
    state.errors.push(...errors.toSorted(byRow));
    state.notes.push(...notesByRow(response));
    for (const { host, txt } of response.pending) state.pending.set(host, txt);
    const { by, id } = response.format;
    // The later pieces are read as the first one.
    if (by === 'recognised' && response.columns.length > 0) query.set('from', id);
  };

  return {
    state,
    rowCount: cut.rowCount,
    isWhole: () => state.done === cut.rowCount,
    /** Throws an error for people if the service does not take it, and the signal's if that stops a wait. */
    async sendNext({ signal, onWait }) {
      const { piece, tooLong, to } = nextOf(cut, state.done);
      const response = piece ? await ask(action, () => bodyOf(piece, tooLong.length, to), { signal, onWait }) : NOTHING;
      add(response, tooLong);
      state.done = to;
    },
  };

  function bodyOf({ bytes, rowsBefore }, tooLong, to) {
    const body = new FormData();
    body.set('file', new Blob([bytes]));
    const fields = {
      format: kind,
      checked: query.toString(),
      import_id: importId,
      rows_before: rowsBefore,
      rows: state.rows + tooLong,
      unchanged: state.unchanged,
      failed: state.errors.length + tooLong,
      is_last: to === cut.rowCount,
    };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return body;
  }
}

const NOTHING = {
  rows: 0,
  created: 0,
  unchanged: 0,
  skipped: [],
  refused: [],
  noted: [],
  only_totals: [],
  pending: [],
  format: {},
  columns: [],
};

// The next piece, with the rows around it that are too long to be sent, so that the last piece is known as such.
function nextOf(cut, from) {
  const tooLong = [];
  let [piece, to] = [null, from];
  for (let next; (next = pieceFrom(cut, to, PIECE)) !== null; to = next.to) {
    if (next.bytes === null) tooLong.push([next.first, rowTooLong().message]);
    else if (piece) break;
    else piece = next;
  }
  return { piece, tooLong, to };
}

/** Asks again for as long as the failure may pass. Links of a piece that arrived exist already when it comes again. */
async function ask(action, body, { signal, onWait }) {
  for (let attempt = 1; ; attempt++) {
    const { answer: response, sentence, seconds } = await askOnce(action, body());
    if (response) return response;
    if (seconds === null || seconds > MAX_SECONDS || attempt === MAX_ATTEMPTS) throw new Error(sentence);
    onWait(seconds);
    await wait(seconds, signal);
  }
}

async function askOnce(action, body) {
  let response;
  try {
    response = await fetch(action, { method: 'POST', body, headers: { Accept: 'application/problem+json' } });
    if (response.ok) return { answer: await response.json() };
  } catch {
    return {
      sentence: text('importScript.noResponseContinue'),
      seconds: SECONDS_BETWEEN,
    };
  }
  const { status, headers } = response;
  const mayPass = status === 429 || status >= 500;
  const sentence = status === 401 ? text('importScript.signedOutContinue') : await sentenceOf(response);
  return { sentence, seconds: mayPass ? Number(headers.get('Retry-After')) || SECONDS_BETWEEN : null };
}

async function sentenceOf(response) {
  const problem = await response.json().catch(() => null);
  if (problem?.code === 'step_up_required') return text('importScript.confirmContinue');
  return problem?.detail ?? text('importScript.statusContinue', { status: String(response.status) });
}

function wait(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

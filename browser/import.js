// Imports a file of links that is too large for a form: cuts it in this browser, shows what its first piece is taken for
// as the form does, and sends it piece after piece. Smaller files are left to the form.

import {
  MAX_FILE_BYTES,
  MAX_FORM_FILE_BYTES,
  MAX_ROWS,
  MAX_ROWS_IN_PIECES,
  PIECE,
} from '../src/links/import/bounds.ts';
import { guessedCharset, utf16Of } from '../src/links/import/charsets.ts';
import { formatOf } from '../src/links/import/file-kinds.ts';
import { cutFile, pieceFrom } from '../src/links/import/pieces.ts';
import { openImport } from './import-send.js';
import { showImport } from './import-show.js';
import { text } from './words.js';

const template = document.querySelector('template[data-sending]');

const SIGN_IN = '/platform/sign-in';

/** The large file that was chosen. */
let chosen = null;
let isBusy = false;
let isLeftToForm = false;

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (isLeftToForm) return;
  let action = submitter?.getAttribute('formaction') ?? form.getAttribute('action');
  if (!action?.includes('/links/import')) return;
  // A choice that was not checked is shown before anything is sent.
  if (isChanged(form)) action = action.replace(/\/run$/, '');
  const file = form.elements.file?.files[0];
  const isCarried = chosen !== null && form.elements.file_rows !== undefined;
  if (!file && !isCarried) return;
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  const work = async () => {
    if (action.endsWith('/run')) return run(form, action);
    const charset = form.elements.charset?.value;
    const isSame = charset === undefined || charset === chosen?.charset;
    if (!file && chosen.isShown && isSame) return preview(action, new FormData(form, submitter));
    chosen = await open(file ?? chosen.file, charset);
    if (file && chosen.isSmall) {
      chosen = null;
      return leaveToForm(form, submitter);
    }
    chosen.isShown = !chosen.isGuess && charset === form.elements.charset_shown?.value;
    return preview(action, fieldsOf(new FormData(form, submitter), chosen));
  };
  void work()
    .catch((error) => complain(form, error))
    .finally(() => (isBusy = false));
});

function isChanged({ elements }) {
  return [...elements].some(({ type, options, selectedIndex, checked, defaultChecked }) => {
    if (type === 'checkbox') return checked !== defaultChecked;
    if (type !== 'select-one') return false;
    return (
      selectedIndex !==
      Math.max(
        0,
        [...options].findIndex(({ defaultSelected }) => defaultSelected),
      )
    );
  });
}

/** Lets the form be sent as every other one. */
function leaveToForm(form, submitter) {
  isLeftToForm = true;
  form.requestSubmit(submitter);
  isLeftToForm = false;
}

/** The fields of a form about a file, with the piece that is shown: the first, or the first with letters to check. */
function fieldsOf(fields, { cut, name, charset, isGuess, isShown }) {
  const first = isShown ? 0 : firstRowBeyondAscii(cut);
  fields.delete('content');
  fields.set('file', new File([pieceFrom(cut, first, PIECE).bytes ?? ''], name));
  fields.set('file_rows', cut.rowCount);
  fields.set('dates_seen', JSON.stringify(cut.dates));
  if (isGuess) fields.set('charset_guess', charset);
  return fields;
}

function firstRowBeyondAscii({ text: bytes, begins, ends }) {
  const found = begins.findIndex((begin, row) => bytes.subarray(begin, ends[row]).some((byte) => byte > 0x7f));
  return Math.max(found, 0);
}

/** A file, cut at its rows, and whether a form takes it as a whole. Throws an error for people. */
async function open(file, said) {
  if (file.size > MAX_FILE_BYTES) throw new Error(text('importScript.tooLarge'));
  const kind = formatOf(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const charset = said ?? (isUtf8(bytes) ? undefined : guessedCharset(bytes));
  const cut = cutFile(kind, bytes, charset);
  const { rowCount } = cut;
  if (rowCount > MAX_ROWS_IN_PIECES) {
    throw new Error(text('importScript.tooMany', { rows: rowCount }));
  }
  const isSmall = file.size <= MAX_FORM_FILE_BYTES && rowCount <= MAX_ROWS;
  return { file, cut, kind, name: file.name, isSmall, charset, isGuess: charset !== undefined && said === undefined };
}

// Also UTF-16 with a byte order mark, which says so itself.
function isUtf8(bytes) {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  if (utf16Of(bytes) !== null) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Shows the page that the form leads to in place of this one, as the file stays in memory only here. */
async function preview(action, fields) {
  const main = document.querySelector('main');
  main.ariaBusy = 'true';
  try {
    const response = await fetch(action, { method: 'POST', body: fields }).catch(noResponse);
    if (response.redirected && new URL(response.url).pathname === SIGN_IN)
      throw new Error(text('importScript.signedOutTry'));
    if (response.redirected) return location.assign(response.url);
    const page = new DOMParser().parseFromString(await response.text().catch(noResponse), 'text/html');
    const next = page.querySelector('main');
    // The page of an error, which this one replaces to keep the file.
    const error = page.querySelector('[data-error]')?.textContent;
    if (error !== undefined || !next)
      throw new Error(error ?? text('importScript.status', { status: String(response.status) }));
    document.title = page.title;
    // It is not the page of the address.
    next.dataset.answer = '';
    main.replaceWith(document.adoptNode(next));
    next.focus();
  } finally {
    main.ariaBusy = null;
  }
}

function noResponse(cause) {
  throw new Error(text('importScript.noResponse'), { cause });
}

function run(form, action) {
  const checked = form.elements.checked.value;
  const sending = openImport({ ...chosen, checked, action: action.replace(/run$/, 'piece') });
  const content = document.importNode(template.content, true);
  return showImport(content, sending, chosen);
}

function complain(form, error) {
  form.querySelector('[data-complaint]')?.remove();
  const notice = document.createElement('div');
  notice.className = 'notice danger';
  notice.role = 'alert';
  notice.dataset.complaint = '';
  notice.textContent = error.message;
  // An error of the reader of files, which has English sentences alone.
  if ('code' in error) notice.lang = 'en';
  form.prepend(notice);
}

// Imports a file of links that is too large for a form: cuts it in this browser, shows what its first piece is taken for
// as the form does, and sends it piece after piece. Smaller files are left to the form.

import {
  MAX_FILE_BYTES,
  MAX_FORM_FILE_BYTES,
  MAX_ROWS,
  MAX_ROWS_IN_PIECES,
  PIECE,
} from '../src/links/import/bounds.ts';
import { formatOf } from '../src/links/import/file-kinds.ts';
import { cutFile, pieceFrom } from '../src/links/import/pieces.ts';
import { openImport } from './import-send.js';
import { showImport } from './import-show.js';

const template = document.querySelector('template[data-sending]');

const OR_OPERATOR = 'Split it, or ask the operator to import it with their tool.';

/** The large file that was chosen. */
let chosen = null;
let isBusy = false;

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action');
  if (!action?.includes('/links/import')) return;
  const file = form.elements.file?.files[0];
  const isCarried = chosen !== null && form.elements.file_rows !== undefined;
  if (!file && !isCarried) return;
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  const work = async () => {
    if (action.endsWith('/run')) return run(form, action);
    if (!file) return preview(action, new FormData(form, submitter));
    chosen = await open(file);
    // The submit of the form itself does not come back to this listener.
    if (chosen === null) return form.submit();
    const fields = new FormData(form);
    fields.set('file', new File([pieceFrom(chosen.cut, 0, PIECE).bytes ?? ''], file.name));
    fields.set('file_rows', chosen.cut.rowCount);
    return preview(action, fields);
  };
  void work()
    .catch(({ message }) => complain(form, message))
    .finally(() => (isBusy = false));
});

/** A file that is to be sent in pieces; null if a form takes it. Throws an error for people. */
async function open(file) {
  if (file.size > MAX_FILE_BYTES) throw new Error(`The file is larger than 10 MiB. ${OR_OPERATOR}`);
  const kind = formatOf(file.name);
  const cut = cutFile(kind, new Uint8Array(await file.arrayBuffer()));
  const { rowCount } = cut;
  if (rowCount > MAX_ROWS_IN_PIECES) {
    throw new Error(
      `The file has ${rowCount.toLocaleString('en-GB')} rows, more than the 100,000 of an import. ${OR_OPERATOR}`,
    );
  }
  if (file.size <= MAX_FORM_FILE_BYTES && rowCount <= MAX_ROWS) return null;
  return { cut, kind, name: file.name };
}

/** Shows the page that the form leads to in place of this one, as the file stays in memory only here. */
async function preview(action, fields) {
  const main = document.querySelector('main');
  main.ariaBusy = 'true';
  try {
    const response = await fetch(action, { method: 'POST', body: fields });
    if (response.redirected) return location.assign(response.url);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    document.title = page.title;
    const next = document.adoptNode(page.querySelector('main'));
    main.replaceWith(next);
    next.focus();
  } catch (cause) {
    throw new Error('The service does not respond. Check your connection, and try again.', { cause });
  } finally {
    main.ariaBusy = null;
  }
}

function run(form, action) {
  const checked = form.elements.checked.value;
  const sending = openImport({ ...chosen, checked, action: action.replace(/run$/, 'piece') });
  const content = document.importNode(template.content, true);
  return showImport(content, sending, chosen);
}

function complain(form, sentence) {
  form.querySelector('[data-complaint]')?.remove();
  const notice = document.createElement('div');
  notice.className = 'notice danger';
  notice.role = 'alert';
  notice.dataset.complaint = '';
  notice.textContent = sentence;
  form.prepend(notice);
}

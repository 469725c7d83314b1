import type { FileFormat } from './file-kinds.ts';
import { JsonReader } from './json-reader.ts';

/**
 * The kind of a file by its content, since services and people name files by other kinds: a list of URLs as text or
 * CSV, lines of JSON as JSON. The script of the page reads this too.
 */

/** The content to read: a kind of file, or a text with a URL in each line. */
export type Content = FileFormat | 'list';

/** The bytes of a file by which its content is decided. A longer first row is left to the reader of the named kind. */
export const BEGINNING_BYTES = 64 * 1024;

/**
 * @param kind the kind by which the file was sent
 * @param beginning the first `BEGINNING_BYTES` of the file, or all of it, as UTF-8
 */
export function contentOf(kind: FileFormat, beginning: Uint8Array): Content {
  if (kind === 'ndjson') return kind;
  const text = new TextDecoder().decode(beginning);
  const first = text.trimStart();
  const isJson = /^\[\s*[{\]]|^\{\s*["}]/.test(first);
  if (kind === 'csv' && !isJson) return isList(text, beginning.length < BEGINNING_BYTES) ? 'list' : kind;
  return first.startsWith('{') && areLines(first) ? 'ndjson' : 'json';
}

/** A line of a list that is left out. */
export const isComment = (line: string): boolean => line.startsWith('#');

/** A line of a list without the quotes that spreadsheets write. */
export const unquoted = (line: string): string => (/^"[^"]*"$/.test(line) ? line.slice(1, -1).trim() : line);

const WITH_SCHEME = /^https?:\/\/[^\s"]+$/i;
const WITHOUT_SCHEME = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#][^\s"]*)?$/u;
const SEVERAL = /[,;|]https?:\/\//i;

const MAX_LINES = 20;
const MAX_LINE = 8192;

// A table without a header has the same separators in each row.
function isList(text: string, isWhole: boolean): boolean {
  const all = text.split('\n', 10 * MAX_LINES);
  const lines = (isWhole ? all : all.slice(0, -1)).map((line) => unquoted(line.trim()));
  const rows = lines.filter((line) => line !== '' && !isComment(line)).slice(0, MAX_LINES);
  const [first = '', second = first] = rows;
  if (rows.some((row) => row.length > MAX_LINE || SEVERAL.test(row))) return false;
  const isTable = [',', ';', '|'].some((mark) => {
    const counts = new Set(rows.map((row) => row.split(mark).length));
    return rows.length > 1 && counts.size === 1 && !counts.has(1);
  });
  if (isTable) return false;
  return WITH_SCHEME.test(first) || [first, second].every((row) => WITHOUT_SCHEME.test(row) || WITH_SCHEME.test(row));
}

// Lines of JSON have an object in each; a single one is a line if it has a URL, and no list of others.
function areLines(text: string): boolean {
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.slice(0, end);
  const object = parsed(line);
  if (object === null) return false;
  if (text.slice(line.length).trim() !== '') return true;
  return !hasList(line) && Object.values(object).some((value) => typeof value === 'string' && WITH_SCHEME.test(value));
}

function parsed(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function hasList(text: string): boolean {
  const reader = new JsonReader();
  try {
    for (const item of reader.read(new TextEncoder().encode(text))) if (item.number > 0) return true;
    reader.end();
    return true;
  } catch {
    return false;
  }
}

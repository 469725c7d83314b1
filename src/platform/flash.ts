import type { Context } from 'hono';
import type english from '../languages/platform/en.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';
import { readUndoneInPart, undoOf, type Undo } from './undo.ts';
import type { PageWords } from './words.tsx';

/**
 * The sentences that a page shows once, after a successful POST that redirected to it: the keys of the group `flash` of the
 * dictionary. The cookie carries the key of a sentence and no text, so that other sites cannot choose what the page says.
 */
export type Flash = keyof (typeof english)['flash'] | 'links-undone-in-part';

/** The sentences about several links, for one. */
const OF_ONE: Partial<Record<Flash, Simple>> = {
  'links-disabled': 'link-disabled',
  'links-enabled': 'link-enabled',
  'links-deleted': 'link-deleted',
  'links-restored': 'link-restored',
};

/** A sentence that is shown once, and the form that undoes the change, if there is one. */
export interface FlashMessage {
  readonly kind: 'success' | 'warning';
  readonly sentence: string;
  /** Where the sentence leads to: the parts of paths after the client's. */
  readonly ways: readonly { readonly path: string; readonly label: string }[];
  readonly undo: Undo | null;
}

const WARNINGS = new Set<Flash>([
  'typed-lost',
  'file-lost',
  'not-done-yet',
  'member-removed-adopted',
  'mail-domain-not-found',
]);

/** The most rows with errors that are named after a partial import: a cookie is small. */
const MAX_NAMED = 20;

/** The result of a partial import; the cookie carries these numbers. */
interface ImportedInPart {
  readonly created: number;
  readonly unchanged: number;
  /** The rows with faults, from 1 on. */
  readonly faults: readonly number[];
}

/** Redirects (303) after an import in which some rows had faults, to a page that names them. */
export function seeImportedInPart(c: Context<PlatformEnv>, path: string, imported: ImportedInPart): Response {
  const { created, unchanged, faults } = imported;
  const numbers = [created, unchanged, faults.length, ...faults.slice(0, MAX_NAMED)];
  return seeOther(c, path, 'links-imported-in-part', numbers.map(String));
}

function importedInPart({ text }: PageWords, [created = '', unchanged = '', errors = '', ...rows]: readonly string[]) {
  const named = rows.join(', ') + (Number(errors) > rows.length ? ' …' : '');
  return text('flash.links-imported-in-part', { created, unchanged, errors: Number(errors), rows: named });
}

const FLASH_SECONDS = 60;

/**
 * Redirects (303) after a successful POST, to a page that shows a sentence about it.
 *
 * @param details what the undo needs, such as the ids of the changed links; or the numbers in the sentence
 */
export function seeOther(
  c: Context<PlatformEnv>,
  path: string,
  flash?: Flash,
  details: readonly string[] = [],
): Response {
  if (flash) writeCookie(c, 'flash', [flash, ...details].join('.'), FLASH_SECONDS);
  return c.redirect(path, 303);
}

/** Reads and deletes the sentence that the previous page has left; null if there is none. */
export function takeFlash(c: Context<PlatformEnv>): FlashMessage | null {
  const cookie = readCookie(c, 'flash');
  if (cookie === undefined) return null;
  clearCookie(c, 'flash');
  const [word = '', ...details] = cookie.split('.');
  const { words } = c.var;
  if (word === 'links-imported-in-part') {
    if (details.length < 4 || !details.every((number) => /^\d{1,4}$/.test(number))) return null;
    const ways = details[0] === '0' ? [] : [{ path: 'links', label: words.text('campaigns.showLinks') }];
    return { kind: 'warning', sentence: importedInPart(words, details), ways, undo: null };
  }
  if (word === 'links-undone-in-part') {
    const left = readUndoneInPart(words, details);
    const ways = left?.links.map((id) => ({ path: `links/${encodeURIComponent(id)}`, label: id })) ?? [];
    return left && { kind: 'warning', sentence: left.sentence, ways, undo: null };
  }
  if (!isSimple(words, word)) return null;
  // The id of the edit, and that of one link.
  const said = details.length === 2 ? (OF_ONE[word] ?? word) : word;
  const kind = WARNINGS.has(said) ? 'warning' : 'success';
  const ways =
    said === 'member-removed-adopted' ? [{ path: 'keys/adopted', label: words.text('shell.replaceKeys') }] : [];
  return { kind, sentence: words.text(`flash.${said}`), ways, undo: undoOf(word, details) };
}

/** A flash whose sentence has no numbers. */
type Simple = Exclude<Flash, 'links-undone-in-part' | 'links-imported-in-part'>;

const isSimple = (words: PageWords, word: string): word is Simple => words.has(`flash.${word}`);

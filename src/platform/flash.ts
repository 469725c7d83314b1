import type { Context } from 'hono';
import type { ManyAction } from '../links/edit/edit-many.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';

/**
 * The sentences that a page shows once, after a successful POST that redirected to it. The cookie carries the key of a
 * sentence and no text, so that nobody else can choose what the page says.
 */
const SENTENCES = {
  'signed-out': 'You are signed out.',
  'password-changed': 'Your password is changed. All other sessions and tokens have ended.',
  'time-zone-saved': 'Your time zone is saved.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'key-renamed': 'The key is renamed.',
  'key-revoked': 'The key is revoked. It is refused from now on.',
  'role-changed': 'The role is changed.',
  'member-removed': 'They do not belong to this client any more.',
  left: 'You have left the client.',
  'invite-revoked': 'The invite is revoked. Its link is good for nothing now.',
  joined: 'You belong to this client now.',
  'joined-signed-out': 'Your account is made, and you belong to the client now. Sign in with your password.',
  'password-reset': 'Your password is changed, and all sessions have ended. Sign in with the new one.',
  'domain-added': 'The domain is added. Set its DNS records, then verify it.',
  'domain-active': 'The domain is verified, and takes links.',
  'domain-changed': 'The domain is changed.',
  'domain-removed': 'The domain is removed.',
  'link-made': 'The link is made.',
  'link-saved': 'The link is saved.',
  'link-disabled': 'The link is disabled. Its visitors are told that it has ended.',
  'link-enabled': 'The link works again.',
  'link-deleted': 'The link is deleted. It can be restored for 30 days.',
  'link-restored': 'The link is restored.',
  'target-back': 'The former target is back.',
  'alias-removed': 'The alias is removed, and free for another link.',
  'links-chosen-none': 'No link was chosen. Tick the boxes of those you mean.',
  'links-unchanged': 'Nothing has changed: the links were so already, or are gone.',
  'links-disabled': 'The links are disabled. Their visitors are told that they have ended.',
  'links-enabled': 'The links work again.',
  'links-deleted': 'The links are deleted. They can be restored for 30 days.',
  'links-restored': 'The links are restored.',
  'links-imported': 'The file is imported. Links that are new stand at the top.',
  'links-imported-in-part': 'Mend those rows and import the file again: what is there stays as it is.',
} as const;

export type Flash = keyof typeof SENTENCES;

/** The action that undoes a change, for the links that the cookie names. */
const UNDONE_BY: Partial<Record<Flash, ManyAction>> = {
  'link-disabled': 'enable',
  'link-deleted': 'restore',
  'links-disabled': 'enable',
  'links-deleted': 'restore',
};

/** A sentence that is shown once, and the form that undoes the change, if there is one. */
export interface Said {
  readonly kind: 'success' | 'warning';
  readonly sentence: string;
  readonly undo: { readonly action: ManyAction; readonly ids: readonly string[] } | null;
}

/** How many rows with faults are named after a partial import: a cookie is small. */
const MAX_NAMED = 20;

/** The result of a partial import; the cookie carries these numbers. */
export interface ImportedInPart {
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

function importedInPart([created, unchanged, faults, ...rows]: readonly string[]): string {
  const more = Number(faults) > rows.length ? ' …' : '';
  return `Imported in part: ${created} made, ${unchanged} there already, ${faults} with a fault (row ${rows.join(', ')}${more}).`;
}

const FLASH_SECONDS = 60;

/**
 * Redirects (303) after a successful POST, to a page that shows a sentence about it.
 *
 * @param details the ids of the changed links, if the change can be undone; or the numbers in the sentence
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
export function takeFlash(c: Context<PlatformEnv>): Said | null {
  const cookie = readCookie(c, 'flash');
  if (cookie === undefined) return null;
  clearCookie(c, 'flash');
  const [word = '', ...details] = cookie.split('.');
  if (!isFlash(word)) return null;
  if (word === 'links-imported-in-part') {
    if (details.length < 4 || !details.every((number) => /^\d{1,4}$/.test(number))) return null;
    return { kind: 'warning', sentence: `${importedInPart(details)} ${SENTENCES[word]}`, undo: null };
  }
  const action = UNDONE_BY[word];
  const undo = action && details.length > 0 ? { action, ids: details } : null;
  return { kind: 'success', sentence: SENTENCES[word], undo };
}

function isFlash(word: string): word is Flash {
  return Object.hasOwn(SENTENCES, word);
}

import type { Context } from 'hono';
import { isAuditKind, type AuditKind } from '../accounts/audit/actions.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';
import { readUndoneInPart, undoOf, type Undo } from './undo.ts';

/**
 * The sentences that a page shows once, after a successful POST that redirected to it. The cookie carries the key of a
 * sentence and no text, so that other sites cannot choose what the page says.
 */
const SENTENCES = {
  'signed-out': 'You have been signed out.',
  'typed-lost':
    'You were signed out, and what you sent was too long to be kept. Nothing has been saved. Sign in and enter it again.',
  'file-lost':
    'You were signed out, and files are not kept. Nothing has been saved. Sign in, then choose the file again.',
  'password-changed':
    'Your password has been changed. You were signed out everywhere else and your tokens were revoked.',
  'time-zone-saved': 'Your time zone has been saved.',
  'account-deleted': 'Your account has been deleted.',
  'session-ended': 'The session has been signed out.',
  'sessions-ended': 'All other sessions have been signed out.',
  'key-renamed': 'The key has been renamed.',
  'key-revoked': 'The key has been revoked and no longer works.',
  'role-changed': 'The role has been changed.',
  'member-removed': 'The member has been removed.',
  'member-removed-adopted':
    'The member has been removed. Their API keys are yours now, and the former member still knows the secrets.',
  left: 'You have left the workspace.',
  'invite-revoked': 'The invite has been revoked. Its link no longer works.',
  'checks-on': 'The destinations of all links will be checked, the first ones within minutes.',
  'checks-off': 'The destinations of links are no longer checked, except where a link says so.',
  'slug-length-changed': 'New links on the service’s own host get slugs of this length.',
  'workspace-renamed': 'The name of the workspace has been saved.',
  'first-steps-dismissed': 'The first steps are no longer shown.',
  'workspace-restored': 'The workspace has been restored. Its links work again within three minutes.',
  joined: 'You are now a member of this workspace.',
  'joined-signed-out':
    'Your account has been created, and you are now a member of the workspace. Sign in with your password.',
  'password-reset': 'Your password has been changed and you were signed out everywhere. Sign in with the new password.',
  'domain-added': 'The domain has been added. Set its DNS records, then verify it.',
  'domain-active': 'The domain has been verified. You can create links on it now.',
  'domain-active-in-part':
    'The domain has been verified. Some links that waited for it lead to a host of this service or to a blocked one: they have been disabled.',
  'domain-changed': 'The domain has been saved.',
  'domain-removed': 'The domain has been removed.',
  'link-made': 'The link has been created.',
  'link-made-again': 'The link has been created. Other links lead to the same destination: see its details.',
  'link-made-on-top': 'The link has been created. It is at the top of the list.',
  'link-saved': 'The link has been saved.',
  'link-disabled': 'The link has been disabled. Visitors see a page that says it is no longer available.',
  'link-enabled': 'The link works again.',
  'link-deleted': 'The link has been deleted. You can restore it within 30 days.',
  'link-restored': 'The link has been restored.',
  'target-back': 'The previous destination has been restored.',
  'alias-removed': 'The alias has been removed. Another link can use it now.',
  'links-chosen-none': 'No links were selected. Select at least one link.',
  'links-unchanged': 'Nothing has changed: the links already have this status, or have been deleted.',
  'links-disabled': 'The links have been disabled. Visitors see a page that says they are no longer available.',
  'links-enabled': 'The links work again.',
  'links-deleted': 'The links have been deleted. You can restore them within 30 days.',
  'links-restored': 'The links have been restored.',
  'links-campaign': 'The campaign of the links has been changed.',
  'links-campaign-undone': 'The previous campaigns of the links have been restored.',
  'links-expiry': 'The expiry of the links has been changed.',
  'links-expiry-undone': 'The previous expiry of the links has been restored.',
  'links-tagged': 'The links have the tag now.',
  'links-untagged': 'The tag has been removed from the links.',
  'tag-deleted': 'The tag has been deleted, and removed from its links.',
  'links-same': 'Nothing has changed: the links already have this value, or have been changed or deleted since.',
  'campaign-renamed': 'The campaign has been renamed.',
  'campaign-merged': 'The campaigns have been merged. Clicks that came before stay under the former name.',
  'share-created': 'The public page has been created. Everyone who has its address can see it.',
  'share-changed': 'The password of the public page has been changed.',
  'share-revoked': 'The public page has been revoked. Its address no longer works.',
  'webhook-disabled': 'The webhook has been disabled. Nothing is sent to it.',
  'webhook-enabled': 'The webhook has been enabled.',
  'webhook-tested': 'A test event is being sent. Reload the page to see the result.',
  'webhook-event-redelivered': 'The event is being sent again. Reload the page to see the result.',
  'webhook-redelivered': 'The failed deliveries are being sent again.',
  'webhook-redelivered-in-part': 'The oldest 1,000 failed deliveries are being sent again. Repeat this for the others.',
  'view-saved': 'The view has been saved. All members of the workspace see it above the list.',
  'view-changed': 'The view has been saved.',
  'view-deleted': 'The view has been deleted. Its links are not affected.',
  'template-saved': 'The UTM template has been saved.',
  'template-deleted': 'The UTM template has been deleted.',
  'links-undone-in-part': '',
  'logo-kept': 'The logo has been kept for the codes of all links of this workspace.',
  'domain-logo-kept': 'The logo has been kept for the codes of links on this domain.',
  'logo-removed': 'The logo has been removed.',
  'links-imported': 'The file has been imported. Its links are listed by their creation date.',
  'links-imported-waiting':
    'The file has been imported. Links on a pending domain wait until it is verified: open the domain for its DNS records.',
  'links-imported-in-part': 'Fix these rows and import the file again. Existing links are not changed.',
} as const;

/** The results that a form has with a thing of any kind, for which a sentence need not be written. */
const DONE = ['created', 'saved', 'deleted'] as const;

export type Flash = keyof typeof SENTENCES | `${AuditKind}-${(typeof DONE)[number]}`;

function sentenceOf(flash: Flash): string {
  const [kind = '', done] = flash.split('-');
  return isWritten(flash) ? SENTENCES[flash] : `The ${kind.replaceAll('_', ' ')} has been ${done}.`;
}

/** The sentences about several links, for one. */
const OF_ONE: Partial<Record<Flash, Flash>> = {
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

const WARNINGS = new Set<Flash>(['typed-lost', 'file-lost', 'member-removed-adopted']);

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

function importedInPart([created, unchanged, faults, ...rows]: readonly string[]): string {
  const more = Number(faults) > rows.length ? ' …' : '';
  return `Import incomplete: ${created} created, ${unchanged} already exist, ${faults} with errors (row ${rows.join(', ')}${more}).`;
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
  if (!isFlash(word)) return null;
  if (word === 'links-imported-in-part') {
    if (details.length < 4 || !details.every((number) => /^\d{1,4}$/.test(number))) return null;
    return { kind: 'warning', sentence: `${importedInPart(details)} ${SENTENCES[word]}`, ways: [], undo: null };
  }
  if (word === 'links-undone-in-part') {
    const left = readUndoneInPart(details);
    const ways = left?.links.map((id) => ({ path: `links/${encodeURIComponent(id)}`, label: id })) ?? [];
    return left && { kind: 'warning', sentence: left.sentence, ways, undo: null };
  }
  // The id of the edit, and that of one link.
  const said = details.length === 2 ? (OF_ONE[word] ?? word) : word;
  const kind = WARNINGS.has(said) ? 'warning' : 'success';
  const ways = said === 'member-removed-adopted' ? [{ path: 'keys/adopted', label: 'Replace the keys' }] : [];
  return { kind, sentence: sentenceOf(said), ways, undo: undoOf(word, details) };
}

function isFlash(word: string): word is Flash {
  const [kind, done] = word.split('-');
  return isWritten(word) || (isAuditKind(kind) && DONE.some((each) => each === done && word === `${kind}-${each}`));
}

function isWritten(word: string): word is keyof typeof SENTENCES {
  return Object.hasOwn(SENTENCES, word);
}

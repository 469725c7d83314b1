import type { Context } from 'hono';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';

/**
 * What a page says once, after a POST that went well and led there. The cookie carries a word of this list and no text,
 * so that nobody can have the pages say something else.
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
  'password-reset': 'Your password is changed, and all sessions have ended. Sign in with the new one.',
  'domain-added': 'The domain is added. Set its DNS records, then verify it.',
  'domain-active': 'The domain is verified, and takes links.',
  'domain-changed': 'The domain is changed.',
  'domain-removed': 'The domain is removed.',
} as const;

export type Flash = keyof typeof SENTENCES;

const FLASH_SECONDS = 60;

/** Answers a POST that went well: to another page (303), which says so. */
export function seeOther(c: Context<PlatformEnv>, path: string, flash?: Flash): Response {
  if (flash) writeCookie(c, 'flash', flash, FLASH_SECONDS);
  return c.redirect(path, 303);
}

/** Takes what the page before left to be said, or null. */
export function takeFlash(c: Context<PlatformEnv>): string | null {
  const word = readCookie(c, 'flash');
  if (word === undefined) return null;
  clearCookie(c, 'flash');
  return isFlash(word) ? SENTENCES[word] : null;
}

function isFlash(word: string): word is Flash {
  return Object.hasOwn(SENTENCES, word);
}

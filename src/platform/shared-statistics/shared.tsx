import { Hono, type Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { callerAddress } from '../../network/address-block.ts';
import { readVisitorForm } from '../../http/visitor-form.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { isLoopback } from '../../network/hosts.ts';
import { UNLOCKED_SECONDS, UnlockCookies, type Lock } from '../../links/password/unlock-cookies.ts';
import { openShare, verifySharePassword, type OpenedShare } from '../../links/shares/open-share.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import { BREAKDOWNS } from '../clicks/cards.ts';
import { readStatisticsIfPossible, type Reader, type Scope } from '../clicks/read-statistics.ts';
import type { PlatformEnv } from '../env.ts';
import { newForm, submit, type FormState } from '../forms/form.ts';
import { displayUrl } from '../links/display-url.ts';
import { page, type PageHead } from '../page.tsx';
import { sharedPath } from './paths.ts';
import { LockedPage, SharedPage } from './shared-page.tsx';
import { STATISTICS_STYLES } from '../clicks/statistics.tsx';

const SHARED = '/platform/shared/:secret';

// What each says of visitors, and nothing of how the link is managed: not which campaign, rule or variant it was.
const HIDDEN = ['campaign', 'link', 'destination'] as const;

/** The public statistics pages, for visitors who have the address. */
export function sharedPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(SHARED, async (c) => {
    const share = await open(c);
    return isUnlocked(c, share) ? respondWithStatistics(c, share) : respondWithLocked(c);
  });

  pages.post(SHARED, async (c) => {
    const share = await open(c);
    const { password = '' } = await readVisitorForm(c.req.raw);
    const { hashing, limits } = signInGuard(c);
    const guard = { ...limits, hashing, visitor: callerAddress(c.req.raw) };
    const sent = await submit(c, { password }, () => verifySharePassword(guard, share, password));
    if (!sent.ok) return respondWithLocked(c, sent.form, sent.status);
    if (share.passwordAt !== null) unlock(c, { linkId: share.id, passwordAt: share.passwordAt });
    return c.redirect(sharedPath(secretOf(c)), 303);
  });

  return pages;
}

const secretOf = (c: Context<PlatformEnv>): string => c.req.param('secret') ?? '';

/** Throws `not_found`, `too_many_requests`. */
async function open(c: Context<PlatformEnv>): Promise<OpenedShare> {
  await limitRate(c, 'shared', null);
  c.header('X-Robots-Tag', 'noindex');
  c.header('Referrer-Policy', 'no-referrer');
  return openShare(c.var.db, secretOf(c));
}

async function respondWithStatistics(c: Context<PlatformEnv>, share: OpenedShare): Promise<Response> {
  const { shared, link, clientId, secretHash } = share;
  const path = sharedPath(secretOf(c));
  const scope: Scope = { subject: shared, path, breakdowns: BREAKDOWNS.shared, hidden: HIDDEN, isPublic: true };
  const reader: Reader = {
    asker: { kind: 'share', secretHash },
    clientId,
    timeZone: 'UTC',
    nameLinks: async () => new Map(),
  };
  const statistics = await readStatisticsIfPossible(c, scope, reader);
  const shortUrl = link && shortUrlOf(link, c.var.site);
  const name = shortUrl === null ? share.name : displayUrl(shortUrl);
  const { text } = c.var.words;
  return page(
    c,
    {
      title: name === null ? text('shares.clicksOnAll') : text('shares.clicksOn', { name }),
      styles: STATISTICS_STYLES,
    },
    <SharedPage {...{ statistics, name, shortUrl }} title={link?.title ?? null} />,
  );
}

function respondWithLocked(c: Context<PlatformEnv>, form: FormState = newForm(), status: PageHead['status'] = 200) {
  // With `no-referrer` a form's Origin would be `null`.
  c.header('Referrer-Policy', 'same-origin');
  return page(c, { title: c.var.words.text('shares.enterPassword'), narrow: true, status }, <LockedPage form={form} />);
}

const cookiesOf = ({ var: { services } }: Context<PlatformEnv>): UnlockCookies =>
  new UnlockCookies(
    services.config.tokenKeys.map(({ d }) => d),
    'terse shared statistics unlocked',
  );

const isPlainLoopback = ({ var: { site } }: Context<PlatformEnv>): boolean =>
  site.requestUrl.protocol === 'http:' && isLoopback(site.requestUrl);

// Some browsers drop `Secure` cookies on plain http even for loopback.
const cookieName = (c: Context<PlatformEnv>, id: string): string =>
  `${isPlainLoopback(c) ? '' : '__Secure-'}terse-shared-${id}`;

/** HEAD gets the headers of the form. */
function isUnlocked(c: Context<PlatformEnv>, { id, passwordHash, passwordAt }: OpenedShare): boolean {
  if (passwordHash === null || passwordAt === null) return true;
  const value = c.req.method === 'GET' ? getCookie(c, cookieName(c, id)) : undefined;
  return value !== undefined && cookiesOf(c).isValid(value, { linkId: id, passwordAt }, Date.now());
}

function unlock(c: Context<PlatformEnv>, lock: Lock): void {
  setCookie(c, cookieName(c, lock.linkId), cookiesOf(c).of(lock, Date.now()), {
    path: sharedPath(secretOf(c)),
    httpOnly: true,
    sameSite: 'Lax',
    secure: !isPlainLoopback(c),
    maxAge: UNLOCKED_SECONDS,
  });
}

import { html } from 'hono/html';
import { AppError } from '../errors.ts';
import { callerAddress } from '../network/address-block.ts';
import { readFormAs, singleTexts } from '../http/form.ts';
import { URLENCODED } from '../http/body.ts';
import { isLoopback } from '../network/hosts.ts';
import { MAX_FORM_BYTES } from '../links/fields/password.ts';
import { UNLOCKED_SECONDS, type Lock } from '../links/password/unlock-cookies.ts';
import { verifyLinkPassword } from '../links/password/verify-password.ts';
import type { Target } from '../links/link.ts';
import { keyOf } from '../links/redirect/cache.ts';
import { pathOfSlug } from '../links/slugs/short-url.ts';
import type { Memory } from '../links/redirect/memory.ts';
import type { RichTarget } from '../links/redirect/decide.ts';
import { respondWithPage, PAGE_HEADERS } from './page.ts';
import { cookieName, isPlainLoopback } from './unlocked.ts';
import { pathOf, type Visit } from './visit.ts';

/** The page with a form of links with a password; those who have entered it get a cookie. */

/** Shows the form, or checks what it sent. Browsers are sent to https first. */
export async function askForPassword(visit: Visit, target: RichTarget): Promise<Response> {
  const { request } = visit;
  const url = new URL(request.url);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    url.protocol = 'https:';
    return new Response(null, { status: 308, headers: { ...PAGE_HEADERS, Location: url.href } });
  }
  const here = pathOf(visit) + url.search;
  if (request.method !== 'POST') return formPage(request, here, null, 200);
  try {
    return await unlock(visit, target, here);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || !request.headers.get('Accept')?.includes('text/html'))
      throw error;
    return formPage(request, here, error, error.status);
  }
}

async function unlock(visit: Visit, target: RichTarget, here: string): Promise<Response> {
  const { request, address, memory, cookies, openStores } = visit;
  const rules = { accepted: [URLENCODED], maxBytes: MAX_FORM_BYTES };
  const { password = '' } = await readFormAs(request, rules, singleTexts);
  const { db, hashing, linkPair, linkAddress } = openStores();
  const guard = { pair: linkPair, address: linkAddress, hashing, visitor: callerAddress(request) };
  const found = await verifyLinkPassword(db, guard, address, target.linkId, password);
  const headers = new Headers({ ...PAGE_HEADERS, Location: here });
  headers.delete('Content-Type');
  if (!('notFoundUrl' in found)) {
    keepNewest(memory.targets, keyOf(address), found);
    const passwordAt = found.extras?.passwordAt;
    if (passwordAt !== undefined)
      headers.set('Set-Cookie', cookieOf({ linkId: found.linkId, passwordAt }, visit, cookies));
  }
  return new Response(null, { status: 303, headers });
}

// Replaces the remembered state, whose revision a restore may have changed, unless this isolate has written a newer edit.
function keepNewest(targets: Memory, key: string, found: Target): void {
  const remembered = targets.find(key);
  if (remembered?.linkId === found.linkId && remembered.revision > found.revision) return;
  targets.replace(key, found);
}

function cookieOf(lock: Lock, { request, address }: Visit, cookies: Visit['cookies']): string {
  const secure = isPlainLoopback(request) ? [] : ['Secure'];
  const value = `${cookieName(lock.linkId, request)}=${cookies.of(lock, Date.now())}`;
  return [
    value,
    `Path=${pathOfSlug(address.slug)}`,
    `Max-Age=${UNLOCKED_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...secure,
  ].join('; ');
}

/** @param here the path of the link, with the query of the visit */
function formPage(request: Request, here: string, fault: AppError | null, status: number): Promise<Response> {
  const isWrong = fault !== null;
  return respondWithPage(
    request,
    {
      title: isWrong ? 'Error: enter the password' : 'Enter the password',
      body: html`<h1>Enter the password</h1>
        <p>This link is protected. Ask the sender for the password.</p>
        <form method="post" action="${here}">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            required
            autofocus
            maxlength="256"
            autocomplete="off"
            ${isWrong ? html`aria-invalid="true" aria-describedby="fault"` : ''}
          />
          ${isWrong ? html`<p class="fault" id="fault" role="alert">${fault.message}</p>` : ''}
          <button>Continue</button>
        </form>`,
    },
    status,
    fault?.retryAfterSeconds,
  );
}

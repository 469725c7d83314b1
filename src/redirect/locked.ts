import { html } from 'hono/html';
import { AppError } from '../errors.ts';
import { callerAddress } from '../network/address-block.ts';
import { readVisitorForm } from '../http/visitor-form.ts';
import type { VisitorWords } from '../languages/visitor-words.ts';
import { isLoopback } from '../network/hosts.ts';
import { UNLOCKED_SECONDS, type Lock } from '../links/password/unlock-cookies.ts';
import { verifyLinkPassword } from '../links/password/verify-password.ts';
import type { Target } from '../links/link.ts';
import { keyOf } from '../links/redirect/cache.ts';
import { pathOfSlug } from '../links/slugs/short-url.ts';
import type { Memory } from '../links/redirect/memory.ts';
import type { RichTarget } from '../links/redirect/decide.ts';
import { respondWithPage, PAGE_HEADERS } from './page.ts';
import { refuse } from './refusal.ts';
import { AFTER_FORM } from './responses.ts';
import { tapeOf } from './tape.ts';
import { cookieName, isPlainLoopback, isUnlocked } from './unlocked.ts';
import { hereOf, type Visit } from './visit.ts';

/** The page with a form of links with a password; those who have entered it get a cookie. */

type Html = ReturnType<typeof html>;

/** The form that asks for a password, and where it leads. */
interface PasswordForm {
  /** Gives the further content of the form, from its fields if it was sent; '' for none. */
  readonly question: (words: VisitorWords, form: Readonly<Record<string, string>>) => Html | string;
  /** Answers a visitor who has entered the password, while the link is as the form knew it. */
  readonly lead: (form: Readonly<Record<string, string>>) => Response | Promise<Response>;
}

/** Shows the form, or checks what it sent; a visitor who has entered the password is sent here again with a cookie. */
export async function askForPassword(visit: Visit, target: RichTarget): Promise<Response> {
  const { passwordAt } = target.extras;
  // Such a form may come from a page that asks for no password, since the link asked first until now.
  const isOpen = visit.request.method === 'POST' && passwordAt !== undefined && isUnlocked(visit, target, passwordAt);
  if (isOpen) return hereAgain(visit);
  return withPassword(visit, target, { question: () => '', lead: () => hereAgain(visit) });
}

/** Shows a form with the password, or checks what it sent. Browsers are sent to https first. */
export async function withPassword(
  visit: Visit,
  target: RichTarget,
  { question, lead }: PasswordForm,
): Promise<Response> {
  const { request } = visit;
  const url = new URL(request.url);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    url.protocol = 'https:';
    return new Response(null, { status: 308, headers: { ...PAGE_HEADERS, Location: url.href } });
  }
  const page = (form: Readonly<Record<string, string>>, fault: AppError | null) =>
    formPage(visit, target, (words) => question(words, form), fault);
  if (request.method !== 'POST') return page({}, null);
  let form: Readonly<Record<string, string>> = {};
  let unlocked: Unlocked;
  try {
    form = await readVisitorForm(request);
    unlocked = await unlock(visit, target, form['password'] ?? '');
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || !request.headers.get('Accept')?.includes('text/html'))
      throw error;
    return page(form, error);
  }
  // A visitor who is refused for another reason has entered the password all the same.
  const led = async () => lead(form);
  const response = unlocked.isUnchanged
    ? await led().catch((error: unknown) =>
        refuse(request, error, visit.publicUrl, { language: target.extras.language }),
      )
    : hereAgain(visit);
  if (unlocked.cookie !== null) response.headers.append('Set-Cookie', unlocked.cookie);
  return response;
}

interface Unlocked {
  /** True if the link is as the form knew it. */
  readonly isUnchanged: boolean;
  /** Null if the link no longer has a password. */
  readonly cookie: string | null;
}

async function unlock(visit: Visit, target: RichTarget, password: string): Promise<Unlocked> {
  const { request, address, memory, cookies, openStores } = visit;
  const { db, hashing, linkPair, linkAddress } = openStores();
  const guard = { pair: linkPair, address: linkAddress, hashing, visitor: callerAddress(request) };
  const found = await verifyLinkPassword(db, guard, address, target.linkId, password);
  if ('notFoundUrl' in found) return { isUnchanged: false, cookie: null };
  keepNewest(memory.targets, keyOf(address), found);
  const passwordAt = found.extras?.passwordAt;
  const isUnchanged = found.linkId === target.linkId && found.revision === target.revision;
  if (passwordAt === undefined) return { isUnchanged, cookie: null };
  return { isUnchanged, cookie: cookieOf({ linkId: found.linkId, passwordAt }, visit, cookies) };
}

function hereAgain(visit: Visit): Response {
  const headers = new Headers({ ...PAGE_HEADERS, Location: hereOf(visit) });
  headers.delete('Content-Type');
  return new Response(null, { status: AFTER_FORM, headers });
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

function formPage(
  visit: Visit,
  { extras }: RichTarget,
  questionIn: (words: VisitorWords) => Html | string,
  fault: AppError | null,
): Promise<Response> {
  const isWrong = fault !== null;
  const options = {
    language: extras.language,
    hasForm: true,
    status: fault?.status ?? 200,
    retryAfterSeconds: fault?.retryAfterSeconds,
  };
  return respondWithPage(visit.request, options, (words) => {
    const question = questionIn(words);
    return {
      title: words.text(isWrong ? 'password.errorTitle' : 'password.title'),
      body: html`${question === '' ? tapeOf(visit) : ''}
        <h1>${words.text('password.title')}</h1>
        <p>${words.text('password.lead')}</p>
        <form method="post" action="${hereOf(visit)}">
          ${question}
          <label for="password">${words.text('password.label')}</label>
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
          ${isWrong ? faultOf(words, fault) : ''}
          <button>${words.text('password.submit')}</button>
        </form>`,
    };
  });
}

const FAULTS: Partial<Record<AppError['code'], 'password.wrong' | 'password.tooMany'>> = {
  invalid_password: 'password.wrong',
  too_many_requests: 'password.tooMany',
};

/** The error of the form; in English, and marked as such, if the dictionaries have no text for it. */
function faultOf(words: VisitorWords, { code, message }: AppError): Html {
  const key = FAULTS[code];
  return key === undefined
    ? html`<p class="fault" id="fault" role="alert" lang="en" dir="ltr">${message}</p>`
    : html`<p class="fault" id="fault" role="alert">${words.text(key)}</p>`;
}

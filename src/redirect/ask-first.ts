import { createHmac, timingSafeEqual } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { html } from 'hono/html';
import { originOf } from '../clicks/referrer.ts';
import type { VisitorWords } from '../languages/visitor-words.ts';
import type { Redirection, RichTarget } from '../links/redirect/decide.ts';
import { readVisitorForm } from '../http/visitor-form.ts';
import { isOfWeb } from '../network/schemes.ts';
import { withPassword } from './locked.ts';
import { respondWithPage } from './page.ts';
import { redirectionFor } from './redirect-visitor.ts';
import { isUnlocked } from './unlocked.ts';
import { hereOf, type Asking, type Visit } from './visit.ts';
import { referrerOf, visitorOf } from './visitor.ts';

/** Links that show the host of their destination, and redirect those who press the button below it. */

type Html = ReturnType<typeof html>;

/** The hidden field of the form, signed: the host that the page shows, and where the visitor comes from. */
const FIELD = 'asked';

// A page may stay open overnight.
const VALID_MS = 24 * 3600 * 1000;

/** The content of the hidden field. */
interface Asked {
  readonly host: string;
  /** Scheme and host; null for nowhere. */
  readonly referrer: string | null;
}

/**
 * Answers a visit of a link that asks first: with the page, or, once its form is sent, as `follow` does. With a password,
 * one page asks for both.
 *
 * @param follow answers a visit that no password stops
 */
export async function followAsking(
  visit: Visit,
  target: RichTarget,
  follow: (visit: Visit) => Response | Promise<Response>,
): Promise<Response> {
  const { request } = visit;
  const { passwordAt } = target.extras;
  const asking = (form: Readonly<Record<string, string>>) => askingOf(visit, target, form[FIELD]);
  if (passwordAt !== undefined && !isUnlocked(visit, target, passwordAt)) {
    return withPassword(visit, target, {
      question: (words, form) => questionBefore({ ...visit, asking: asking(form) }, target, words),
      lead: async (form) => follow({ ...visit, asking: asking(form) }),
    });
  }
  const form = request.method === 'POST' ? await readVisitorForm(request) : {};
  return follow({ ...visit, asking: asking(form) });
}

function askingOf(visit: Visit, target: RichTarget, field: string | undefined): Asking {
  const { request } = visit;
  const isOwn = request.method === 'POST' && isOwnForm(request);
  const asked = isOwn && field !== undefined ? readAsked(visit, target, field) : null;
  // The page that has sent a form is one of this service.
  const asking: Asking = {
    ...(isOwn && { referrer: asked?.referrer ?? null }),
    pageFor: (redirection) =>
      asked !== null && asked.host === hostOf(redirection) ? null : askPage({ ...visit, asking }, target, redirection),
  };
  return asking;
}

// A program that opens links has no such form, and a page of another site cannot send it (Fetch Metadata; Origin in
// browsers before it).
function isOwnForm({ headers, url }: Request): boolean {
  const site = headers.get('Sec-Fetch-Site');
  if (site !== null) return site === 'same-origin';
  return URL.parse(headers.get('Origin') ?? '')?.host === new URL(url).host;
}

/**
 * The host of a destination, with its port; of one that opens an app, the scheme with its colon, and after a space the
 * host of the fallback, if there is one.
 */
function hostOf({ location, app }: Redirection): string {
  return (app === undefined ? [location] : [app, location])
    .map((text) => new URL(text))
    .map((url) => (isOfWeb(url) ? url.host : url.protocol))
    .join(' ');
}

const opensApp = (host: string): boolean => /:(?: |$)/.test(host);

const strong = ([text = '']: readonly string[]) => hostNames(text);

/** The sentence for such a host. */
function sentenceOf(words: VisitorWords, asked: string): readonly (Html | string)[] {
  if (!opensApp(asked)) return words.parts('ask.website', { host: asked, strong });
  const [scheme = '', host] = asked.split(' ');
  return host === undefined
    ? words.parts('ask.app', { scheme, strong })
    : words.parts('ask.appOrWebsite', { scheme, host, strong });
}

/** A host in letters and as it is asked for, if these differ: letters of other scripts can look alike. */
function hostNames(host: string): Html {
  const [name = '', ...port] = host.split(/(?=:\d*$)/);
  const letters = domainToUnicode(name) + port.join('');
  return name === '' || letters === host || letters === port.join('')
    ? html`<strong dir="ltr">${host}</strong>`
    : html`<strong dir="ltr">${letters}</strong> (<bdi dir="ltr">${host}</bdi>)`;
}

/** The question of a form that asks for a password too; nothing for programs, or where a visitor would be refused. */
function questionBefore(visit: Visit, target: RichTarget, words: VisitorWords): Html | string {
  const visitor = visitorOf(visit.request, visit.asking);
  if (visit.request.method === 'HEAD' || visitor.kind !== 'human') return '';
  try {
    return questionOf(visit, target, redirectionFor(visit, target, visitor), words);
  } catch {
    return '';
  }
}

function questionOf(visit: Visit, target: RichTarget, redirection: Redirection, words: VisitorWords): Html {
  const host = hostOf(redirection);
  const referrer = originOf(referrerOf(visit.request, visit.asking) ?? '') || null;
  return html`<p>${sentenceOf(words, host)}</p>
    <input type="hidden" name="${FIELD}" value="${writeAsked(visit, target, { host, referrer })}" />`;
}

function askPage(visit: Visit, target: RichTarget, redirection: Redirection): Promise<Response> {
  return respondWithPage(visit.request, { language: target.extras.language, hasForm: true }, (words) => {
    const title = words.text(opensApp(hostOf(redirection)) ? 'ask.appTitle' : 'ask.websiteTitle');
    return {
      title,
      body: html`<h1>${title}</h1>
        <form method="post" action="${hereOf(visit)}">
          ${questionOf(visit, target, redirection, words)}
          <button autofocus>${words.text('ask.submit')}</button>
        </form>`,
    };
  });
}

function writeAsked({ askKeys }: Visit, { linkId }: RichTarget, { host, referrer }: Asked): string {
  const content = Buffer.from(JSON.stringify([Date.now() + VALID_MS, host, referrer])).toString('base64url');
  return `${content}.${signature(askKeys.first, linkId, content).toString('base64url')}`;
}

/** Null if it is not of this link's page, or of one too long ago. */
function readAsked({ askKeys }: Visit, { linkId }: RichTarget, field: string): Asked | null {
  const [, content, signed] = /^([\w-]{1,4096})\.([\w-]{43})$/.exec(field) ?? [];
  if (content === undefined || signed === undefined) return null;
  const given = Buffer.from(signed, 'base64url');
  if (!askKeys.all.some((key) => timingSafeEqual(signature(key, linkId, content), given))) return null;
  const [ends, host, referrer] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
    number,
    string,
    string | null,
  ];
  return Date.now() < ends ? { host, referrer } : null;
}

const signature = (key: Buffer, linkId: string, content: string): Buffer =>
  createHmac('sha256', key).update(`${linkId}\n${content}`).digest();

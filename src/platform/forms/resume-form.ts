import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs } from '../../http/form.ts';
import { URLENCODED } from '../../http/body.ts';
import type { PlatformEnv, SentField } from '../env.ts';
import type { ResumedForm } from './resumed-form.ts';

/**
 * The values typed into a form that was sent after the session had ended, or while the service was not available. The
 * page that says so carries it, so that this service stores nothing: the form is shown again afterwards, to the same
 * user, and saves nothing by itself.
 */

/** The field in which a form says whose it is. Only forms that can be shown again have it. */
export const TYPED_BY = 'typed_by';

/** The parameter of the path of a form that is only shown again. */
export const AGAIN = 'again';

/** The parameter of the path of a form whose user signs in first. */
export const HERE = 'sign-in';

/** The parameter of the path of a form whose user confirms first who they are. */
export const CONFIRM = 'confirm';

// It is sent with the form that signs in, which has two more fields.
const MAX_BYTES = MAX_FORM_BYTES - 16 * 1024;

/** Reads what the request has sent; null if it cannot be shown again. */
export async function typedIn(c: Context<PlatformEnv>): Promise<ResumedForm | 'too_long' | null> {
  if (c.req.method !== 'POST') return null;
  const pairs = c.var.sent ?? (c.req.raw.bodyUsed ? [] : await pairsOf(c.req.raw));
  if (pairs === 'too_long') return pairs;
  const [, by] = pairs.find(([name]) => name === TYPED_BY) ?? [];
  if (by === undefined) return null;
  const typed = pairs.filter(([name]) => name !== TYPED_BY);
  const passwords = typed.filter(([name, text]) => isPassword(name) && text !== '');
  const kept: ResumedForm = {
    by,
    texts: typed.filter(([name]) => !isPassword(name)).map(([name, text]) => [name, text]),
    passwords: passwords.map(([name]) => name),
  };
  return Buffer.byteLength(JSON.stringify(kept)) <= MAX_BYTES ? kept : 'too_long';
}

/**
 * Hands the form that was typed before on to the path of the request, in the session of a cookie.
 *
 * @param note shown with the form, which then does nothing; null if the form is done
 */
export function handOn(c: Context<PlatformEnv>, typed: ResumedForm, cookie: string, note: string | null): void {
  const { site } = c.var;
  const requestUrl = new URL(site.requestUrl.pathname, site.requestUrl);
  c.req.raw = sentAgain(requestUrl, c.req.raw.headers, cookie, typed);
  c.set('site', { ...site, requestUrl });
  c.set('sent', undefined);
  if (note !== null) c.set('shownAgain', { note, passwords: typed.passwords });
}

/** The request as it was sent before. */
function sentAgain(url: URL, headers: Headers, cookie: string, typed: ResumedForm): Request {
  const renewed = new Headers(headers);
  renewed.delete('Content-Length');
  renewed.set('Content-Type', URLENCODED);
  renewed.set('Cookie', cookie);
  return new Request(url, {
    method: 'POST',
    headers: renewed,
    body: new URLSearchParams(fieldsOf(typed).map(([name, text]) => [name, text])).toString(),
  });
}

/** The fields that a page has carried, as the form had sent them. */
export const fieldsOf = ({ texts, by }: ResumedForm): SentField[] => [...texts, [TYPED_BY, by]];

/** The fields of a form, except files. */
export const textsOf = (form: FormData): SentField[] =>
  [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] satisfies SentField] : []));

async function pairsOf(request: Request): Promise<readonly SentField[] | 'too_long'> {
  try {
    return await readFormAs(request, { accepted: [URLENCODED, MULTIPART], maxBytes: MAX_FORM_BYTES }, textsOf);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'body_too_large' ? 'too_long' : [];
  }
}

// Checkboxes about a password hold none. The secret of a provider is one too.
const isPassword = (name: string) => /password|^secret$/.test(name) && !name.startsWith('remove_');

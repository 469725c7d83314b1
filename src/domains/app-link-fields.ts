import * as z from 'zod';
import { hasExactNumbers, isShallow } from '../text/json.ts';
import { lazy } from '../isolate/lazy.ts';
import { fault } from '../input/validation.ts';
import { MAX_APP_LINK_BYTES, type AppLinkFile } from './app-links.ts';

// The files need five levels or so.
const MAX_DEPTH = 100;

/** The most items of a file that is a list: each takes at least two bytes. */
export const MAX_APP_LINK_ITEMS = MAX_APP_LINK_BYTES / 2;

interface Problem {
  readonly error: string;
  readonly params?: object;
}

/** The checks of one kind of file. */
interface Kind {
  readonly words: string;
  readonly example: unknown;
  /** The error of a value, as the end of a sentence; null if it has none. */
  readonly check: (value: unknown) => string | null;
}

/** Each field of a change: a JSON text, kept byte for byte, or a JSON value, kept as its text; null deletes the file. */
export const appLinkFields = lazy(() => ({
  apple_app_site_association: file({
    words: 'The file `apple-app-site-association` of Apple',
    example: { applinks: { details: [] } },
    check: checkAppleFile,
  }),
  asset_links: file({
    words: 'The file `assetlinks.json` of Google',
    example: [
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: { namespace: 'web', site: 'https://example.com' },
      },
    ],
    check: checkStatements,
  }),
})) satisfies () => Record<AppLinkFile, z.ZodType>;

function file(kind: Kind) {
  const description =
    `${kind.words}: a JSON text, kept byte for byte, or a JSON value, kept as its text; of at most ` +
    `${MAX_APP_LINK_BYTES} bytes in UTF-8`;
  return z
    .unknown()
    .transform((given, context) => {
      const read = readFile(given, kind);
      if (typeof read === 'string') return read;
      const { error: message, params } = read;
      context.issues.push({ code: 'custom', message, input: given, ...(params && { params }) });
      return z.NEVER;
    })
    .meta({ description, example: kind.example })
    .nullable()
    .optional()
    .meta({ description: `${kind.words}, as a JSON text or as the value itself; null deletes it` });
}

function readFile(given: unknown, { example, check }: Kind): string | Problem {
  const notJson = { error: `must be JSON, such as ${JSON.stringify(example)}` };
  if (typeof given === 'string') {
    if (!isWithin(given)) return tooLong();
    const value = parse(given);
    if (value === undefined) return notJson;
    const error = checkDepth(value) ?? check(value);
    return error === null ? given : { error };
  }
  if (Array.isArray(given) && given.length > MAX_APP_LINK_ITEMS) return tooLong();
  const error = checkDepth(given) ?? checkNumbers(given) ?? check(given);
  if (error !== null) return { error };
  const text = JSON.stringify(given);
  return isWithin(text) ? text : tooLong();
}

function tooLong(): Problem {
  return { error: `must be at most ${MAX_APP_LINK_BYTES} bytes long`, ...fault('too_long') };
}

// A character takes at least one byte, so that a long text is refused without encoding it.
function isWithin(text: string): boolean {
  return text.length <= MAX_APP_LINK_BYTES && new TextEncoder().encode(text).length <= MAX_APP_LINK_BYTES;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function checkDepth(value: unknown): string | null {
  return isShallow(value, MAX_DEPTH) ? null : `must be nested at most ${MAX_DEPTH} levels deep`;
}

function checkNumbers(value: unknown): string | null {
  if (hasExactNumbers(value)) return null;
  return 'has a number that would lose digits: send the number as a string, or the file as a JSON text';
}

// https://developer.apple.com/documentation/bundleresources/entitlements/com.apple.developer.associated-domains lists the
// services. Others may be added, and are kept.
const SERVICES = ['applinks', 'webcredentials', 'appclips', 'activitycontinuation'];

function checkAppleFile(value: unknown): string | null {
  const services = isObject(value) ? SERVICES.filter((service) => Object.hasOwn(value, service)) : [];
  if (!isObject(value) || services.length === 0) {
    return 'must be an object with applinks, webcredentials, appclips or activitycontinuation';
  }
  const bad = services.find((service) => !isObject(value[service]));
  return bad === undefined ? null : `must have an object as ${bad}`;
}

function checkStatements(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return 'must be an array of at least one statement';
  const bad = value.findIndex((statement) => !isStatement(statement));
  if (bad < 0) return null;
  return (
    'must have in each statement either "relation", an array of texts, and "target", an object with a namespace, or ' +
    `"include", the URL of further statements; this is not so in statement ${bad + 1}`
  );
}

// https://github.com/google/digitalassetlinks/blob/master/well-known/details.md, section "Statement"
function isStatement(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { relation, target, include } = value;
  if (include !== undefined) return typeof include === 'string' && /^https?:\/\/./i.test(include);
  return (
    Array.isArray(relation) &&
    relation.length > 0 &&
    relation.every(isFilled) &&
    isObject(target) &&
    isFilled(target['namespace'])
  );
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

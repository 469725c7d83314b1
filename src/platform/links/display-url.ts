import { domainToUnicode } from 'node:url';
import { lazy } from '../../isolate/lazy.ts';
import { UNSEEN } from '../../text/look-alikes.ts';
import { skeletonsOf } from '../../text/skeletons.ts';

/**
 * URLs as people read them: without percent-encoding and punycode, as far as nothing in them can be taken for something
 * else. What is copied, and what programs get, stays encoded.
 */

/** A URL without its scheme, in the parts that are shown. */
interface ShownUrl {
  /** With the port, and before it the scheme if it is not https. */
  readonly host: string;
  /** All after the host, or '' if that is only a slash. */
  readonly rest: string;
}

/** A short link without its scheme, as people write it. */
export function displayUrl(shortUrl: string): string {
  const [, host = '', rest = ''] = PARTS.exec(shortUrl) ?? [];
  return displayHost(host) + decoded(rest);
}

/** A destination. Its parts are to be isolated from each other, since some scripts run from right to left. */
export function shownUrl(href: string): ShownUrl {
  if (!PARTS.test(href)) return { host: href, rest: '' };
  const [, host = '', rest = ''] = PARTS.exec(href) ?? [];
  const scheme = href.startsWith('http:') ? 'http://' : '';
  return { host: scheme + displayHost(host), rest: rest === '/' ? '' : decoded(rest) };
}

/** A destination with its scheme, as one text; what is no URL of the web stays as it is. */
export function shownWhole(href: string): string {
  if (!PARTS.test(href)) return href;
  const { host, rest } = shownUrl(href);
  return `${href.startsWith('https:') ? 'https://' : ''}${host}${rest}`;
}

/**
 * A destination as the input of a form has it, with all of its parts. It is readable only as far as it becomes the same URL
 * again when it is sent.
 */
export function typedUrl(href: string): string {
  const [, host, rest] = PARTS.exec(href) ?? [];
  if (host === undefined || rest === undefined) return href;
  const text = `${href.startsWith('https:') ? 'https' : 'http'}://${displayHost(host)}${decoded(rest)}`;
  return URL.parse(text)?.href === href ? text : href;
}

/** A sentence with the hosts in it as people read them. */
export const withReadableHosts = (sentence: string): string =>
  sentence.includes('xn--') ? sentence.replaceAll(/[\w.-]+/g, displayHost) : sentence;

/** A host name. A label that could be read as another one stays in punycode. */
export function displayHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const [name = '', port] = host.split(':');
  const labels = domainToUnicode(name).split('.');
  const readable = name
    .split('.')
    .map((label, index) => (label.startsWith('xn--') && isReadable(labels[index] ?? '') ? labels[index] : label))
    .join('.');
  const isSame = URL.canParse(`http://${readable}`) && new URL(`http://${readable}`).hostname === name;
  return `${isSame ? readable : name}${port === undefined ? '' : `:${port}`}`;
}

const PARTS = /^https?:\/\/([^/?#]*)(.*)$/s;

// Bytes outside ASCII: what an escape of ASCII stands for can be a part of the URL's syntax.
const ESCAPED = /(?:%[89a-f][\da-f])+/gi;
// A letter or a digit with its marks. A mark that begins a text would change the character before it.
const CHARACTER = /[\p{L}\p{N}]\p{M}{0,3}|[^]/gu;
const IS_WORD = /^[\p{L}\p{N}]/u;

function decoded(text: string): string {
  return text.replaceAll(ESCAPED, (escapes) => {
    const characters = decodeOrNull(escapes)?.match(CHARACTER);
    return characters?.map((each) => (isWord(each) ? each : encodeURIComponent(each))).join('') ?? escapes;
  });
}

const isWord = (character: string): boolean => IS_WORD.test(character) && !UNSEEN.test(character);

function decodeOrNull(escapes: string): string | null {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return null;
  }
}

const JAPANESE = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}`;
const KOREAN = String.raw`\p{scx=Hangul}\p{scx=Han}`;
const SCRIPTS = (
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Ethiopic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu ' +
  'Kannada Malayalam Sinhala Thai Lao Khmer Myanmar'
)
  .split(' ')
  .map((script) => String.raw`\p{scx=${script}}`);
// One script in a label: with two, letters that look alike stand for each other.
const ofOneScript = lazy(() => [...SCRIPTS, JAPANESE, KOREAN].map((script) => new RegExp(`^[${script}0-9-]+$`, 'u')));
const OF_WORDS = /^[\p{L}\p{M}\p{N}-]+$/u;
const IS_ASCII = /^\p{ASCII}*$/u;

function isReadable(label: string): boolean {
  const isPlain = OF_WORDS.test(label) && !UNSEEN.test(label) && ofOneScript().some((script) => script.test(label));
  return isPlain && !skeletonsOf(label).all.some((each) => IS_ASCII.test(each));
}

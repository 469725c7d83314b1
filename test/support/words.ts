/** The words that texts for people avoid, and where they stand in a text. */

/** A word or phrase of the column "don't say". */
interface Avoided {
  readonly phrase: string;
  /** The word to use instead. */
  readonly say: string;
}

interface WordList {
  /** The words for all texts. */
  readonly everywhere: readonly Avoided[];
  /** The words for the pages of the platform, besides. */
  readonly pages: readonly Avoided[];
  /** The words for comments and names of tests, alone. */
  readonly comments: readonly Avoided[];
  /** The words with which no name of a test begins. */
  readonly beginnings: readonly string[];
  /** The words for comments of sources, besides. */
  readonly sources: readonly Avoided[];
  /** The words with which no docstring of a source begins. */
  readonly docstrings: readonly Avoided[];
}

/** Reads `docs/contributing/words.md`. Throws if a table is missing. */
export function parseWords(markdown: string): WordList {
  return {
    everywhere: tableOf(markdown, 'Everywhere'),
    pages: tableOf(markdown, 'On the pages of the platform'),
    comments: tableOf(markdown, 'In comments and names of tests'),
    beginnings: beginningsOf(markdown),
    sources: tableOf(markdown, 'In comments of sources'),
    docstrings: tableOf(markdown, 'At the beginning of docstrings'),
  };
}

function beginningsOf(markdown: string): string[] {
  const rows = [...sectionOf(markdown, 'Names of tests').matchAll(/^\| ([a-z, ]+?) +\| (?:it|the) .+\|$/gm)];
  return rows.flatMap(([, words = '']) => words.split(', '));
}

function sectionOf(markdown: string, heading: string): string {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`words.md has no part "${heading}"`);
  return section;
}

function tableOf(markdown: string, heading: string): Avoided[] {
  const rows = [...sectionOf(markdown, heading).matchAll(/^\| (.+?) +\| .+? +\| (.+?) +\|$/gm)].slice(1);
  const avoided = rows
    .filter(([, say = '']) => !say.startsWith('---'))
    .flatMap(([, say = '', phrases = '']) => phrases.split(', ').map((phrase) => ({ phrase, say })));
  if (avoided.length === 0) throw new Error(`words.md has no table "${heading}"`);
  return avoided;
}

/** Each avoided word of a text, with what stands around it and the word to use. */
export function avoidedIn(text: string, words: readonly Avoided[]): string[] {
  const plain = text.replaceAll(/\s+/g, ' ');
  const { any, each } = patternsOf(words);
  if (!any.test(plain)) return [];
  return each.flatMap(({ phrase, say, pattern }) =>
    [...plain.matchAll(pattern)].map(
      ({ index }) => `${plain.slice(Math.max(0, index - 50), index + phrase.length + 30)} → ${say}`,
    ),
  );
}

interface Patterns {
  /** Finds whether a text has one of the phrases, which nearly none has. */
  readonly any: RegExp;
  readonly each: readonly (Avoided & { readonly pattern: RegExp })[];
}

const patterns = new WeakMap<readonly Avoided[], Patterns>();

// Tests read tens of thousands of texts with the same few lists.
function patternsOf(words: readonly Avoided[]): Patterns {
  const known = patterns.get(words);
  if (known) return known;
  const patternOf = (phrases: string, flags: string) => new RegExp(`(?<![\\w-])(?:${phrases})(?![\\w-])`, flags);
  const made = {
    any: patternOf(words.map(({ phrase }) => phrase).join('|'), 'i'),
    each: words.map(({ phrase, say }) => ({ phrase, say, pattern: patternOf(phrase, 'gi') })),
  };
  patterns.set(words, made);
  return made;
}

/** The prose of a Markdown text: no code, no addresses of links, no quotations, no examples marked ✗. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^ *```.*?^ *```$/gms, '')
    .replaceAll(/`[^`]*`/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/"[^"]*"/g, 'x')
    .replaceAll(/[^·.:]*✗/g, '');
}

/** Reads the texts of a page: its texts, labels and alternatives, without code and the names of time zones. */
export function readableOf(html: string): string {
  const labels = [...html.matchAll(/ (?:aria-label|alt|placeholder|title|content)="([^"]*)"/g)].map(([, text]) => text);
  const texts = html
    .replaceAll(/<(code|pre|style|script|textarea)\b.*?<\/\1>/gs, ' x ')
    .replaceAll(/<option[^>]*>\w+\/[^<]*<\/option>/g, '')
    .replaceAll(/<[^>]*>/g, ' · ');
  return [texts, ...labels].join(' · ').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

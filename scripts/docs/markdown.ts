import { Marked, type Token, type Tokens } from 'marked';
import { GUIDES, pathOfGuide } from './contents.ts';

/** A heading below the title of a page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly depth: number;
}

/** A guide, ready for its frame. */
export interface Guide {
  readonly file: string;
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** A part of a page, for the search. */
export interface Section {
  readonly path: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

interface Reading {
  readonly file: string;
  /** The addresses of operations in the reference, by `METHOD /path`. */
  readonly operations: ReadonlyMap<string, string>;
  /** The origin that the service's own addresses in the text get; null for relative ones. */
  readonly origin: string | null;
}

const LOCAL = 'http://localhost:8787';

/** Reads a file of `docs/`, whose first heading is its title. */
export function readGuide(text: string, reading: Reading): Guide {
  const { file } = reading;
  const tokens = new Marked().lexer(text);
  const ids = new Ids();
  const headings: Heading[] = [];
  const sections: { title: string; id: string; text: string }[] = [{ title: '', id: '', text: '' }];
  let title = file;
  const body = tokens.filter((token) => {
    if (token.type === 'heading' && token['depth'] === 1) {
      title = textOf(token);
      ids.next(title);
      return false;
    }
    if (token.type === 'heading') {
      const heading = { id: ids.next(textOf(token)), text: textOf(token), depth: token['depth'] as number };
      headings.push(heading);
      sections.push({ title: heading.text, id: heading.id, text: '' });
    } else {
      sections.at(-1)!.text += ` ${textOf(token)}`;
    }
    return true;
  });
  const path = pathOfGuide(file);
  return {
    file,
    path,
    title,
    html: write(body, reading, headings),
    headings,
    sections: sections.map(({ title: of, id, text: words }) => ({
      path: id === '' ? path : `${path}#${id}`,
      page: title,
      title: of === '' ? title : of,
      text: words.replaceAll(/\s+/g, ' ').trim(),
    })),
  };
}

function write(tokens: Token[], { file, operations, origin }: Reading, headings: readonly Heading[]): string {
  let index = 0;
  let isInLink = false;
  const marked = new Marked({
    renderer: {
      heading({ tokens: inline, depth }) {
        const { id } = headings[index++]!;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(inline)}</a></h${depth}>\n`;
      },
      link({ href, tokens: inline }) {
        isInLink = true;
        const words = this.parser.parseInline(inline);
        isInLink = false;
        const address = addressOf(href);
        if (address !== null) return `<a href="${escape(address)}">${words}</a>`;
        return `${words} (<code>${escape(new URL(href, 'file:///docs/').pathname.slice(1))}</code> in the repository)`;
      },
      codespan({ text }) {
        const code = `<code>${escape(text)}</code>`;
        const operation = isInLink ? undefined : operations.get(text);
        return operation === undefined ? code : `<a href="${operation}">${code}</a>`;
      },
      code({ text, lang }) {
        const code = origin === null ? text : text.replaceAll(LOCAL, origin);
        return codeBlock(code, lang ?? '');
      },
      table(token) {
        const head = token.header.map((cell) => this.tablecell(cell)).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((cell) => this.tablecell(cell)).join('')}</tr>`).join('\n');
        const name = escape(token.header.map(({ text }) => text.replaceAll('`', '')).join(', '));
        return (
          `<div class="table" role="region" tabindex="0" aria-label="Table: ${name}"><table><thead><tr>${head}</tr></thead>` +
          `<tbody>\n${rows}\n</tbody></table></div>\n`
        );
      },
      html({ text }) {
        const [, source, alt] = /^<img src="images\/([\w.-]+)" alt="([^"]*)"/.exec(text) ?? [];
        return source === undefined ? '' : `<img class="picture" src="/docs/images/${source}" alt="${alt}">\n`;
      },
    },
  });
  return marked.parser(tokens);

  // Null for a file of the repository, which has no address here.
  function addressOf(href: string): string | null {
    if (/^(?:[a-z]+:|#)/.test(href)) return href.startsWith(`${LOCAL}/`) ? href.slice(LOCAL.length) : href;
    const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (GUIDES.every((guide) => guide.file !== name)) return null;
    return name === file && fragment !== '' ? fragment : `${pathOfGuide(name ?? '')}${fragment}`;
  }
}

/** A block of code with a button to copy it, which works with scripts. */
function codeBlock(text: string, language: string): string {
  const name = LANGUAGES[language] ?? 'Example';
  return (
    `<figure class="code-block"><figcaption><span>${name}</span></figcaption>` +
    `<pre tabindex="0" aria-label="${name}"><code>${escape(text)}</code></pre></figure>\n`
  );
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  js: 'JavaScript',
  ts: 'TypeScript',
  py: 'Python',
  toml: 'TOML',
  csv: 'CSV',
  ini: 'Settings',
};

/** The ids of the headings of a page, as those on GitHub. */
class Ids {
  readonly #used = new Map<string, number>();

  next(text: string): string {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = this.#used.get(id) ?? 0;
    this.#used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }
}

/** The words of a token, without marks. */
function textOf(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map((cell) => cell.tokens.map(textOf).join('')).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(textOf).join(' ');
  const { tokens, text } = token as { readonly tokens?: readonly Token[]; readonly text?: string };
  return tokens === undefined ? (text ?? ' ') : tokens.map(textOf).join('');
}

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

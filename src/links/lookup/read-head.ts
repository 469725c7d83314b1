import { decodeEntities } from '../../text/html-entities.ts';
import { PageDecoder } from './page-decoder.ts';

/** The texts by which a page describes itself, with their references decoded. */
export interface PageHead {
  readonly title: string | null;
  readonly description: string | null;
  /** As it is written, so that it can be relative to `base`. */
  readonly image: string | null;
  readonly base: string | null;
}

const MAX_PAGE_BYTES = 256 * 1024;
/** No text of a link is as long. */
const MAX_TEXT = 16 * 1024;

/** The names of `meta` elements, the first of which a page has decides: Open Graph, Twitter, and those of HTML. */
const META = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image', 'og:image:secure_url', 'og:image:url', 'twitter:image', 'twitter:image:src'],
} as const;
const NAMES: ReadonlySet<string> = new Set(Object.values(META).flat());

/**
 * Reads the head of an HTML page: 256 KiB at most, and nothing after the end of the head. Of a page that breaks off,
 * what was read before; null if the time was over before the end of the head.
 *
 * @param signal ends the response
 */
export async function readHead(page: Response, signal: AbortSignal): Promise<PageHead | null> {
  const head = new HeadReader();
  const bytes = page.body?.getReader();
  if (bytes === undefined) return head.found();
  const decoder = new PageDecoder(page.headers.get('Content-Type') ?? '');
  const inUtf8 = new Response(toUtf8(bytes, decoder, () => head.isOver));
  const parsed = head.rewriter().transform(inUtf8).body!.getReader();
  try {
    // To the end, which comes soon after that of the head: a parser that is left alone logs an error.
    while (!(await parsed.read()).done) if (head.isOver) bytes.cancel().catch(() => {});
  } catch {
    // Of a page that the parser gives up, what it has read is enough.
  }
  bytes.cancel().catch(() => {});
  return signal.aborted && !head.isOver ? null : head.found();
}

/** The text in UTF-8, which the parser reads. @param isOver true if no more is needed */
function toUtf8(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  decoder: PageDecoder,
  isOver: () => boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let rest = MAX_PAGE_BYTES;
  return new ReadableStream({
    async pull(controller) {
      let text = '';
      try {
        while (text === '' && rest > 0 && !isOver()) {
          const { done, value } = await bytes.read();
          if (done) break;
          const part = value.subarray(0, rest);
          rest -= part.byteLength;
          text = decoder.decode(part);
        }
      } catch {
        // The response has broken off, or is no longer needed.
      }
      controller.enqueue(encoder.encode(text || decoder.end()));
      if (text === '') controller.close();
    },
  });
}

class HeadReader {
  /** True once the head has ended. */
  isOver = false;
  readonly #metas = new Map<string, string>();
  #title = '';
  #titles = 0;
  #base: string | null = null;

  rewriter(): HTMLRewriter {
    return new HTMLRewriter()
      .on('head', { element: (head) => head.onEndTag(() => void (this.isOver = true)) })
      .on('body', { element: () => void (this.isOver = true) })
      .on('base', { element: (base) => void (this.#base ??= base.getAttribute('href')) })
      .on('meta', { element: (meta) => this.#readMeta(meta) })
      .on('title', {
        element: () => void (this.#titles += this.isOver ? 2 : 1),
        text: ({ text }) => {
          if (this.#titles === 1 && this.#title.length < MAX_TEXT) this.#title += text;
        },
      });
  }

  found(): PageHead {
    return {
      title: this.#firstOf(META.title) ?? decoded(this.#title),
      description: this.#firstOf(META.description),
      image: this.#firstOf(META.image),
      base: this.#base === null ? null : decoded(this.#base),
    };
  }

  #readMeta(meta: Element): void {
    if (this.isOver) return;
    const content = meta.getAttribute('content') ?? '';
    if (content.trim() === '') return;
    for (const attribute of ['property', 'name']) {
      for (const name of (meta.getAttribute(attribute) ?? '').slice(0, MAX_TEXT).toLowerCase().split(/\s+/)) {
        if (NAMES.has(name) && !this.#metas.has(name)) this.#metas.set(name, content);
      }
    }
  }

  #firstOf(names: readonly string[]): string | null {
    const name = names.find((each) => this.#metas.has(each));
    return name === undefined ? null : decoded(this.#metas.get(name)!);
  }
}

const decoded = (text: string): string => decodeEntities(text.slice(0, MAX_TEXT));

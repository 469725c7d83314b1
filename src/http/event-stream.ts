import type { Context } from 'hono';
import type { Credential } from '../accounts/grants.ts';
import { findLiveLinks } from '../clicks/live-links.ts';
import {
  checkLive,
  LIVE_TIMES,
  openLive,
  positionName,
  type LiveEvent,
  type LiveQuestion,
  type LiveView,
} from '../clicks/live.ts';
import { shortUrlOf } from '../links/slugs/short-url.ts';
import { logProblem } from '../isolate/log.ts';
import type { Counted } from '../statistics/live/counted-clicks.ts';
import type { FeedLine } from '../statistics/live/view.ts';
import { asAppError, logFailure } from './failure.ts';
import type { HttpEnv } from './env.ts';

/**
 * Clicks as they are counted, as server-sent events. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */

export const EVENT_STREAM = 'text/event-stream';

/** The short link of a link: null if it is deleted, undefined if it could not be read. */
type ShortUrlOf = (linkId: string) => string | null | undefined;

/** Writes the data of an event `click`. */
type ShowClick = (click: Counted, shortUrl: string | null | undefined) => object | Promise<object>;

/** After how long a client that has lost the stream connects again: then the stream that it has lost no longer counts. */
const RETRY_MS = 6000;
/**
 * The number of times that a stream reads the short links of links. Then it ends early, since a request has a bounded
 * number of calls.
 */
const MAX_LOOKUPS = 500;

/**
 * Answers with a stream of clicks, and before its first byte with what `openLive` throws. `HEAD` opens none, and is
 * refused like `GET`.
 *
 * @param verify gives the caller's credential, and throws once it has expired
 */
export async function respondWithLive<E extends HttpEnv>(
  c: Context<E>,
  verify: () => Promise<Credential>,
  question: LiveQuestion,
  show: ShowClick,
  times = LIVE_TIMES,
): Promise<Response> {
  if (c.req.method === 'HEAD') {
    await checkLive(c.var, await verify(), question);
    return c.body(null, 200, HEADERS);
  }
  const view = await openLive(c.var, verify, question, times);
  const names = new ShortUrls(c.var, verify, view.clientId, times.check);
  const write = async (event: LiveEvent) =>
    event.kind === 'lines' ? writeLines(event.lines, await names.of(event.lines), show) : writeOther(event);
  return c.body(streamOf(view, names, write, c.var.requestId), 200, HEADERS);
}

// The second one is for proxies that would otherwise collect what is written.
const HEADERS = { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' };

const encoder = new TextEncoder();

function streamOf(
  view: LiveView,
  names: ShortUrls,
  write: (event: LiveEvent) => Promise<string>,
  requestId: string,
): ReadableStream<Uint8Array> {
  // A stream that is cancelled cannot be closed.
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n: connected\n\n`)),
      async pull(controller) {
        try {
          const event = names.areUsedUp ? EARLY_END : await view.next();
          if (event !== null) controller.enqueue(encoder.encode(await write(event)));
          if (event !== null && event.kind !== 'end') return;
          view.stop();
          if (isLeft) return;
          controller.close();
        } catch (error) {
          view.stop();
          logFailure(asAppError(error), { request_id: requestId });
          controller.error(error);
        }
      },
      cancel() {
        isLeft = true;
        view.stop();
      },
    },
    { highWaterMark: 1 },
  );
}

const EARLY_END: LiveEvent = {
  kind: 'end',
  reason: 'time',
  sentence: 'The stream has reached its limit. Connect again.',
};

async function writeLines(lines: readonly FeedLine[], shortUrls: ShortUrlOf, show: ShowClick): Promise<string> {
  const events = lines.map(async (line) => {
    const id = positionName(line);
    if ('more' in line) return eventOf('more', { count: line.more }, id);
    return eventOf('click', await show(line, shortUrls(line.link)), id);
  });
  return (await Promise.all(events)).join('');
}

function writeOther(event: Exclude<LiveEvent, { readonly kind: 'lines' }>): string {
  if (event.kind === 'beat') return ': still connected\n\n';
  return `retry: ${RETRY_MS}\n${eventOf('end', { reason: event.reason, detail: event.sentence })}`;
}

// JSON has no line breaks of its own.
function eventOf(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The short links of the links in a stream. */
class ShortUrls {
  readonly #request: Pick<HttpEnv['Variables'], 'db' | 'site'>;
  readonly #verify: () => Promise<Credential>;
  readonly #clientId: string;
  /** For how many milliseconds they are known: a link can be deleted, or get another address. */
  readonly #knownMs: number;
  readonly #known = new Map<string, string | null>();
  #forgetAt: number;
  #lookups = 0;

  constructor(
    request: Pick<HttpEnv['Variables'], 'db' | 'site'>,
    verify: () => Promise<Credential>,
    clientId: string,
    knownMs: number,
  ) {
    this.#request = request;
    this.#verify = verify;
    this.#clientId = clientId;
    this.#knownMs = knownMs;
    this.#forgetAt = Date.now() + knownMs;
  }

  get areUsedUp(): boolean {
    return this.#lookups >= MAX_LOOKUPS;
  }

  async of(lines: readonly FeedLine[]): Promise<ShortUrlOf> {
    const now = Date.now();
    if (now >= this.#forgetAt) {
      this.#forgetAt = now + this.#knownMs;
      this.#known.clear();
    }
    const ids = new Set(lines.flatMap((line) => ('more' in line ? [] : [line.link])));
    const fresh = [...ids].filter((id) => !this.#known.has(id));
    if (fresh.length > 0) await this.#find(fresh);
    return (id) => this.#known.get(id);
  }

  // Without them, clicks are shown with the ids of their links.
  async #find(ids: readonly string[]): Promise<void> {
    this.#lookups += 1;
    const { db, site } = this.#request;
    try {
      const links = await findLiveLinks(db, await this.#verify(), this.#clientId, ids);
      for (const id of ids) this.#known.set(id, null);
      for (const link of links) this.#known.set(link.id, shortUrlOf(link, site));
    } catch (cause) {
      logProblem('live_links_unknown', cause, { client_id: this.#clientId });
    }
  }
}

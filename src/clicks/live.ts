import type { Credential } from '../accounts/grants.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Counted, ClickPosition } from '../statistics/live/counted-clicks.ts';
import { MAX_VIEWS } from '../statistics/live/feed.ts';
import type { FeedLine } from '../statistics/live/view.ts';
import type { ClickSources } from './days.ts';
import { permissionOf } from './permission.ts';

/** Clicks as they are counted: what a caller is shown of the object's feed, and for how long. */

/** Which clicks are requested. */
export interface LiveQuestion {
  readonly clientId: string | undefined;
  /** The only link; null for all of the client. */
  readonly linkId: string | null;
  /** The id of the last event that the caller has, as `positionName` writes it; others begin with the clicks from now on. */
  readonly lastId: string | null;
}

/** An event in a live view. */
export type LiveEvent =
  | { readonly kind: 'lines'; readonly lines: readonly FeedLine[] }
  /** Nothing, for a while. */
  | { readonly kind: 'beat' }
  /** The last event. */
  | { readonly kind: 'end'; readonly reason: EndReason; readonly sentence: string };

/** `time`: it was open long enough; `interrupted`: the object has ended; else why the caller can no longer read it. */
type EndReason = 'time' | 'interrupted' | ErrorCode;

export interface LiveView {
  readonly clientId: string;
  /** The next event; null after the last one. */
  next(): Promise<LiveEvent | null>;
  /** Ends the view, also while `next` waits. */
  stop(): void;
}

/** In milliseconds. */
export interface LiveTimes {
  readonly beat: number;
  /** The interval between two checks that the caller can still read the clicks. */
  readonly check: number;
  readonly end: number;
}

/**
 * Of the service; tests have shorter ones. That a reader has left is noticed by the next write only, here and then in the
 * object. Source: https://github.com/cloudflare/workerd/issues/6832
 */
export const LIVE_TIMES: LiveTimes = { beat: 2000, check: 60_000, end: 15 * 60_000 };
// Longer than it takes to notice that one was closed.
const RETRY_SECONDS = 10;

/** Throws what `authorizeReading` throws. */
export async function readLately(
  sources: ClickSources,
  credential: Credential,
  { clientId, linkId }: Pick<LiveQuestion, 'clientId' | 'linkId'>,
  most: number,
): Promise<readonly Counted[]> {
  const client = await authorizeReading(sources, credential, { clientId, linkId });
  const counted = await sources.statistics.call(client, (object) => object.lately({ since: 0, most, link: linkId }));
  return counted.toReversed();
}

/**
 * Opens a view of clicks as they are counted. Throws `invalid_credential`, `insufficient_scope`, `wrong_client`,
 * `missing_field`, `not_found`, `gone`, `store_unavailable`, and `too_many_requests` for more than `MAX_VIEWS` of a client.
 *
 * @param verify gives the caller's credential, and throws once it has expired
 */
export async function openLive(
  sources: ClickSources,
  verify: () => Promise<Credential>,
  question: LiveQuestion,
  times = LIVE_TIMES,
): Promise<LiveView> {
  const check = async () => authorizeReading(sources, await verify(), question);
  const clientId = await check();
  const watched = { link: question.linkId, after: positionOf(question.lastId) };
  const stream = await sources.statistics.call(clientId, (object) => object.watch(watched));
  if (stream === null) throw tooManyViews();
  return new Live(clientId, stream.getReader(), check, times);
}

/** Throws what `openLive` would throw, and opens nothing. */
export async function checkLive(sources: ClickSources, credential: Credential, question: LiveQuestion): Promise<void> {
  const clientId = await authorizeReading(sources, credential, question);
  if (!(await sources.statistics.call(clientId, (object) => object.hasRoom()))) throw tooManyViews();
}

function tooManyViews(): AppError {
  return new AppError(
    'too_many_requests',
    `This client has the maximum of ${MAX_VIEWS} open live streams. Close one, or try again later.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

/** The id of an event. */
export const positionName = ({ countedAt, n }: ClickPosition): string => `${countedAt}-${n}`;

const MAX_ID = 40;

/** The place of an id; null for a text that is none. */
function positionOf(id: string | null): ClickPosition | null {
  const [, at, n] = (id !== null && id.length <= MAX_ID && /^(\d{1,15})-(\d{1,15})$/.exec(id)) || [];
  return n === undefined ? null : { countedAt: Number(at), n: Number(n) };
}

/** The client of the clicks. Throws if the caller may not read them. */
async function authorizeReading(
  { db }: ClickSources,
  credential: Credential,
  { clientId, linkId }: Pick<LiveQuestion, 'clientId' | 'linkId'>,
): Promise<string> {
  const subject = linkId === null ? ({ kind: 'client' } as const) : ({ kind: 'link', name: linkId } as const);
  const { select, decide } = permissionOf(credential, subject, clientId, false);
  const [rows] = await db.batch<[object]>([select]);
  return decide(rows[0]);
}

const DUE = Symbol('a time has come');

class Live implements LiveView {
  readonly clientId: string;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #check: () => Promise<unknown>;
  readonly #times: LiveTimes;
  readonly #endsAt: number;
  readonly #decoder = new TextDecoder();
  #checkAt: number;
  #beatAt: number;
  #reading: Promise<readonly FeedLine[] | null> | null = null;
  #waiting = '';
  #isOver = false;

  constructor(
    clientId: string,
    reader: ReadableStreamDefaultReader<Uint8Array>,
    check: () => Promise<unknown>,
    times: LiveTimes,
  ) {
    const now = Date.now();
    this.clientId = clientId;
    this.#reader = reader;
    this.#check = check;
    this.#times = times;
    this.#endsAt = now + times.end;
    this.#checkAt = now + times.check;
    this.#beatAt = now + times.beat;
  }

  async next(): Promise<LiveEvent | null> {
    while (!this.#isOver) {
      const now = Date.now();
      if (now >= this.#endsAt) return this.#end('time', 'The stream was open for 15 minutes. Connect again.');
      if (now >= this.#checkAt) {
        this.#checkAt = now + this.#times.check;
        const refusal = await this.#refusal();
        if (refusal) return this.#end(refusal.code, refusal.message);
      }
      if (now >= this.#beatAt) {
        this.#beatAt = now + this.#times.beat;
        return { kind: 'beat' };
      }
      this.#reading ??= this.#read();
      const lines = await firstOf(this.#reading, Math.min(this.#endsAt, this.#checkAt, this.#beatAt) - now);
      if (lines === DUE) continue;
      this.#reading = null;
      if (lines === null) return this.#interrupted();
      if (lines.length > 0) return { kind: 'lines', lines };
    }
    return null;
  }

  stop(): void {
    this.#isOver = true;
    // A failure to cancel is ignored: the stream is closed anyway.
    this.#reader.cancel().catch(() => undefined);
  }

  /** The lines that have come; null at the end. */
  async #read(): Promise<readonly FeedLine[] | null> {
    try {
      const { value } = await this.#reader.read();
      if (value === undefined) return null;
      const lines = (this.#waiting + this.#decoder.decode(value, { stream: true })).split('\n');
      this.#waiting = lines.pop() ?? '';
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FeedLine);
    } catch {
      // The object has ended, as with a new version of the service.
      return null;
    }
  }

  async #interrupted(): Promise<LiveEvent | null> {
    if (this.#isOver) return null;
    const refusal = await this.#refusal();
    return refusal
      ? this.#end(refusal.code, refusal.message)
      : this.#end('interrupted', 'The stream was interrupted. Connect again.');
  }

  async #refusal(): Promise<AppError | null> {
    try {
      await this.#check();
      return null;
    } catch (cause) {
      if (cause instanceof AppError) return cause;
      throw cause;
    }
  }

  #end(reason: EndReason, sentence: string): LiveEvent {
    this.stop();
    return { kind: 'end', reason, sentence };
  }
}

/** Resolves with the result of `work`, or with `DUE` after `milliseconds`. */
function firstOf<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof DUE> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(DUE), Math.max(0, milliseconds));
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

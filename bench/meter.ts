import type { Service } from './contestant.ts';
import type { Counts } from './click-counts.ts';
import { CLIENT_ID, targetOf } from './links.ts';
import type { LoadTasks, Stream } from './load.ts';
import type { RpcChild } from './child-rpc.ts';
import { cpuSecondsOf, settled } from './usage.ts';
import { MAX_ROWS } from '../src/statistics/append/backlog.ts';
import type { DeliveredLink } from '../src/statistics/append/delivery.ts';

/** The use of one request of a kind, including the work after its answer, and its part of the fold that follows. */
export type Usage = Readonly<Counts> & { readonly cpuMs: number };

// Longer than the consumer waits for a batch, so that each click would be counted by itself, also if it took the queue.
const QUIET_SECONDS = 6.5;

/** Sends requests to a service, and measures what it uses for them. */
export class Meter {
  readonly #service: Service;
  readonly #load: RpcChild<LoadTasks>;
  readonly #idleShare: number;
  /** Answered redirects so far. */
  redirects = 0;
  /** Clicks that were stored without a redirect. */
  filled = 0;

  /** @param idleShare the share of a core that the service takes without requests */
  constructor(service: Service, load: RpcChild<LoadTasks>, idleShare: number) {
    this.#service = service;
    this.#load = load;
    this.#idleShare = idleShare;
  }

  /** Sends each path of a stream once, and returns how many were answered. */
  async send(stream: Stream): Promise<number> {
    const { answered: served } = await this.#load.ask('drive', { origin: this.#service.origin, streams: [stream] });
    if (stream.status === 302) this.redirects += served[0];
    return served[0];
  }

  /** Follows a link at long intervals, each time as another visitor. */
  async sendQuietly(path: string, requests: number): Promise<number> {
    await this.#load.ask('probe', { origin: this.#service.origin, path, perSecond: 1 / QUIET_SECONDS, requests });
    this.redirects += requests;
    return requests;
  }

  /** Measures what is sent, once all earlier work is done. */
  async measure(send: () => Promise<number>): Promise<Usage> {
    await this.#settled();
    const [requests, usage] = await this.#use(() => this.#sent(send));
    return divided(usage, requests);
  }

  /** Measures clicks, with their part of the fold of the object. */
  async measureClicks(send: () => Promise<number>): Promise<Usage> {
    await this.#settled();
    await this.#ask('fold');
    const [requests, sent] = await this.#use(() => this.#sent(send));
    const [, fold] = await this.#use(() => this.#ask('fold'));
    return sum(divided(sent, requests), divided(fold, requests));
  }

  /**
   * Measures clicks of a day, with their part of its folds and of the retention.
   *
   * @param others the links, by index, and the hours of the other clicks of the day
   */
  async measureQuiet(
    send: () => Promise<number>,
    others: readonly { readonly link: number; readonly hour: number }[],
  ): Promise<Usage> {
    await this.#settled();
    await this.#ask('fold');
    // What clicks before have left to it.
    await this.#ask('retain');
    // The first click after a fold sets the alarm of the next one, which is for all of its clicks.
    await this.#ask('fill', [{ link: ['first', null], hour: 0 }]);
    this.filled += 1;
    const [requests, sent] = await this.#use(() => this.#sent(send));
    let usage = divided(sent, requests);
    const clicks = requests + others.length;
    const aFold = MAX_ROWS - requests - 1;
    for (let from = 0; from < others.length; from += aFold) {
      const some = others.slice(from, from + aFold).map(({ link, hour }) => {
        const { linkId, campaignName } = targetOf(link);
        return { link: [linkId, campaignName] satisfies DeliveredLink, hour };
      });
      await this.#ask('fill', some);
      this.filled += some.length;
      const [, fold] = await this.#use(() => this.#ask('fold'));
      usage = sum(usage, divided(fold, clicks));
    }
    const [, retention] = await this.#use(() => this.#ask('retain'));
    return sum(usage, divided(retention, clicks));
  }

  #settled(): Promise<void> {
    return settled(this.#service.pid);
  }

  async #sent(send: () => Promise<number>): Promise<number> {
    const requests = await send();
    await this.#settled();
    return requests;
  }

  /** Returns also what the work returns. */
  async #use<T>(work: () => Promise<T>): Promise<[result: T, usage: Usage]> {
    const { pid } = this.#service;
    await this.#ask<Counts>('take');
    const [before, from] = [cpuSecondsOf(pid), performance.now()];
    const result = await work();
    const idleMs = this.#idleShare * (performance.now() - from);
    const cpuMs = Math.max(0, (cpuSecondsOf(pid) - before) * 1000 - idleMs);
    return [result, { ...(await this.#ask<Counts>('take')), cpuMs }];
  }

  async #ask<T>(task: string, body: unknown = {}): Promise<T> {
    const url = `${this.#service.origin}/.bench/${task}?client=${CLIENT_ID}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${task} failed: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function divided(usage: Usage, by: number): Usage {
  return mapped(usage, (value) => value / by);
}

function sum(one: Usage, other: Usage): Usage {
  return mapped(one, (value, name) => value + other[name]);
}

function mapped(usage: Usage, of: (value: number, name: keyof Usage) => number): Usage {
  const entries = Object.entries(usage) as [keyof Usage, number][];
  return Object.fromEntries(entries.map(([name, value]) => [name, of(value, name)])) as unknown as Usage;
}

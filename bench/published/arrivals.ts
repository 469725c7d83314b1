import { Agent, request } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { visitorHeaders } from '../requests.ts';
import { serve } from '../child-rpc.ts';
import { percentileOf } from '../statistics.ts';
import type { Outcome, Visit } from './visits.ts';

/**
 * The program that sends visits at a constant rate, whether earlier ones were answered or not, as visitors come. Written
 * here, since autocannon sends the next request of a connection only after the response to the one before: while a
 * server stands still, it sends nothing, and only estimates what visitors would have waited.
 */

interface Arrivals {
  readonly origin: string;
  readonly visits: readonly Visit[];
  readonly perSecond: number;
}

interface Arrived {
  /** In the order of the visits. */
  readonly outcomes: readonly Outcome[];
  /** The time within which 99 of 100 visits were sent after they were due: what is the load's own, in milliseconds. */
  readonly lateMs: number;
}

// Enough that no visit waits for a connection while a store takes three seconds.
const CONNECTIONS = 2000;
const GIVE_UP_MS = 15_000;
// A timer is late by up to that.
const TIMER_MS = 2;

const tasks = {
  async arrive({ origin, visits, perSecond }: Arrivals): Promise<Arrived> {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const began = performance.now();
    const late: number[] = [];
    const sent: Promise<Outcome>[] = [];
    const send = async (visit: Visit, index: number, dueAt: number): Promise<Outcome> => {
      late.push(performance.now() - dueAt);
      const status = await follow(origin, visit, index, agent);
      return { status, milliseconds: performance.now() - dueAt };
    };
    for (const [index, visit] of visits.entries()) {
      const dueAt = began + (index * 1000) / perSecond;
      // Also a load that is late lets responses in.
      do {
        const left = dueAt - performance.now();
        await (left > TIMER_MS ? setTimeout(left - TIMER_MS) : setImmediate());
      } while (performance.now() < dueAt);
      sent.push(send(visit, index, dueAt));
    }
    const outcomes = await Promise.all(sent);
    agent.destroy();
    return { outcomes, lateMs: percentileOf(late, 99) };
  },
};

export type ArrivalTasks = typeof tasks;
serve(tasks);

function follow(origin: string, { path, location }: Visit, index: number, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(`${origin}${path}`, { agent, headers: visitorHeaders(index), timeout: GIVE_UP_MS });
    outgoing.once('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      const isWrong = status >= 300 && status < 400 && location !== null && headers.location !== location;
      incoming.resume();
      incoming.once('end', () => resolve(isWrong ? -1 : status));
      incoming.once('error', () => resolve(0));
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(0));
    outgoing.end();
  });
}

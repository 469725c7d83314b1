import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { StatisticsObject } from '../../src/statistics/statistics.ts';

/** Objects of clients that fail. */

type Method = keyof StatisticsObject;
type Call = (...args: never[]) => Promise<unknown>;

/**
 * Replaces a method of the objects, of all clients or of one, until `vi.restoreAllMocks`.
 *
 * @param replace gets the method as it was
 */
export function replaceInObjects(method: Method, replace: (call: Call) => Call, clientId?: string) {
  const getByName = env.STATISTICS.getByName.bind(env.STATISTICS);
  return vi.spyOn(env.STATISTICS, 'getByName').mockImplementation((name) => {
    const stub = getByName(name);
    if (clientId !== undefined && name !== clientId) return stub;
    return new Proxy(stub, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        return property === method ? replace((...args) => (value as Call)(...args)) : value;
      },
    });
  });
}

export const OBJECT_FAILURE = new Error('Network connection lost.');

/** Makes every append fail, or so many of them. */
export function breakObjects(clientId?: string, times = Number.POSITIVE_INFINITY) {
  let left = times;
  return replaceInObjects(
    'append',
    (append) =>
      (...args) =>
        left-- > 0 ? Promise.reject(OBJECT_FAILURE) : append(...args),
    clientId,
  );
}

/** Objects that store a delivery, and whose answer is lost: so many times, and then they answer as ever. */
export function loseResponses(times: number) {
  let left = times;
  return replaceInObjects('append', (append) => async (...args) => {
    await append(...args);
    if (left-- > 0) throw OBJECT_FAILURE;
  });
}

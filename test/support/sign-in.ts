import { nanoid } from 'nanoid';
import { basicOf, type Tenant } from './seed.ts';
import { call, type Call } from './service.ts';

/**
 * Tries to sign in, from addresses and within windows that no other test uses, since the counts of the limiters outlive
 * a test.
 */

const byte = () => Math.floor(Math.random() * 256);
const hextet = () => (0x1000 + Math.floor(Math.random() * 0xe000)).toString(16);

export const newIpv4 = (): string => `10.${byte()}.${byte()}.${byte()}`;
export const newIpv6Network = (): string => `2001:db8:${hextet()}:${hextet()}`;
/** The name of no user. */
export const newName = (): string => `nobody-${nanoid()}`;

/** One try to sign in. */
export function attempt(name: string, password: string, address: string, through: Call = call): Promise<Response> {
  const headers = { Authorization: basicOf(name, password), 'CF-Connecting-IP': address };
  return through('/tokens/create_token', { headers });
}

/** One try with the right password. */
export function attemptRight({ userName, password }: Tenant, address: string, through?: Call): Promise<Response> {
  return attempt(userName, password, address, through);
}

/** The statuses of attempts, one after the other. */
export async function statusesOf(count: number, tryOnce: (index: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await tryOnce(index)).status);
  return statuses;
}

/** A status, so many times. */
export const times = (count: number, status: number): number[] => Array<number>(count).fill(status);

/**
 * Runs a test that depends on one window of the limiters, and runs it again if the window ended meanwhile: windows are
 * aligned to the minutes of the real clock. Each run must use names and addresses of its own.
 */
export async function withinOneWindow<T>(run: () => Promise<T>): Promise<T> {
  const window = () => Math.floor(Date.now() / 60_000);
  for (;;) {
    const before = window();
    const outcome = await run();
    if (window() === before) return outcome;
  }
}

import { newAddress } from './address.ts';
import { open, type Manager } from './manage.ts';
import type { Call } from './service.ts';
import { lock } from './visits.ts';

/** Links with a password, from a visitor's side. */

export const PASSWORD = 'open sesame ü';
export const TARGET = 'https://example.com/secret';

/** A link with this password. */
export async function seedLocked(fields: object = {}): Promise<{ manager: Manager; id: string }> {
  const manager = await open();
  const id = await manager.make({ url: TARGET, ...fields });
  await lock(id, PASSWORD);
  return { manager, id };
}

/** Sends the form as a browser does, from an address of its own. */
export const enter = (through: Call, url: string, password: string, headers: Record<string, string> = {}) =>
  through(url, {
    method: 'POST',
    body: new URLSearchParams({ password }),
    headers: { Accept: 'text/html', 'CF-Connecting-IP': newAddress(), ...headers },
  });

/** The name and the value of the cookie that a response sets. */
export const cookieIn = ({ headers }: Response): string => (headers.get('Set-Cookie') ?? '').split(';', 1)[0] ?? '';

/** The cookie of a visitor who has entered the password. */
export const unlocked = async (through: Call, url: string) => cookieIn(await enter(through, url, PASSWORD));

import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { newAddress } from './address.ts';
import type { Documented } from './documented.ts';
import { seedExamples } from './example-world.ts';
import { sendExample } from './examples.ts';

/** Every operation of the API document, with a request that succeeds with the data of the examples. */

/** Creates the data of the examples anew, and returns a request of an operation that succeeds with it. */
export async function openExample(documented: Documented): Promise<() => Promise<Response>> {
  const credentials = await seedExamples();
  // An edit leaves the link of the examples in KV, from where it would be answered.
  for (const { name } of (await env.LINKS.list()).keys) await env.LINKS.delete(name);
  const { security } = documented.operation;
  const isOpen = security.some((scheme) => Object.keys(scheme).length === 0);
  const scheme = isOpen ? 'none' : (Object.keys(security[0] ?? {})[0] ?? 'none');
  // Each from an address of its own: there are more of them a minute than may sign in from one.
  const headers = { ...credentials[scheme], 'CF-Connecting-IP': newAddress() };
  return () => sendExample(documented, { headers });
}

/** Expects the first response that the document has of an operation. */
export async function expectUsual({ operation }: Documented, response: Response): Promise<void> {
  const usual = Object.keys(operation.responses)[0];
  expect([String(response.status), response.status < 400 || (await response.text())]).toEqual([usual, true]);
}

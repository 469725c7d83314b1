import { nanoid } from 'nanoid';
import type { Caller } from './forms.ts';
import { answer, ask, send } from './management.ts';
import { newIpv4 } from './sign-in.ts';

/** Invites, and accepting them. */

interface Invite {
  readonly id: string;
  readonly url: string;
  readonly token: string;
  readonly mailed: boolean;
  readonly expires_at: string;
}

export async function invite(owner: Caller, body: object = {}): Promise<Invite> {
  const made = await answer<Omit<Invite, 'token'>>(await ask(owner, 'POST', '/v1/invites', body), 201);
  return { ...made, token: made.url.split('/').at(-1) ?? '' };
}

/** Accepts as a person without an account. */
export function acceptAsNew(token: string, fields: object = {}, address = newIpv4()) {
  const body = { token, name: `new-${nanoid(8)}`, password: 'correct horse', ...fields };
  return send({ 'CF-Connecting-IP': address }, 'POST', '/v1/invites/accept', body);
}

export const accept = (caller: Caller, token: string) => ask(caller, 'POST', '/v1/invites/accept', { token });

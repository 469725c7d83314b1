import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/accounts/grants.ts';
import { parseApiKey } from '../../src/accounts/keys/api-key.ts';
import { openLive, type LiveEvent, type LiveTimes, type LiveView } from '../../src/clicks/live.ts';
import { AppError } from '../../src/errors.ts';
import { openStatistics } from '../../src/statistics/statistics.ts';
import { deliver, packOf } from '../support/clicks.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { ask, seedKey, seedMember } from '../support/management.ts';
import { openCredential } from '../support/platform.ts';
import { db, seedLink } from '../support/seed.ts';

/** Live views that continue and end, with intervals of milliseconds. */

const NEVER = 10 ** 9;
const sources = { db, statistics: openStatistics(env.STATISTICS, 5000) };

function open(
  { clientId }: Pick<Caller, 'clientId'>,
  credential: () => Promise<Credential>,
  times: Partial<LiveTimes>,
  linkId: string | null = null,
): Promise<LiveView> {
  return openLive(
    sources,
    credential,
    { clientId, linkId, lastId: null },
    { beat: NEVER, check: NEVER, end: NEVER, ...times },
  );
}

async function keyOf(caller: Caller) {
  const { id, key } = await seedKey(caller, ['stats:read']);
  const { secretHash } = parseApiKey(key)!;
  return { id, credential: async () => ({ kind: 'api_key', keyId: id, secretHash }) as const };
}

/** Reads until the end, and returns the last event. */
async function endOf(view: LiveView): Promise<LiveEvent | null> {
  let last: LiveEvent | null = null;
  for (let event = await view.next(); event !== null; event = await view.next()) last = event;
  return last;
}

const ended = (reason: string) => ({ kind: 'end', reason, sentence: expect.stringMatching(/\.$/) });

describe('a view that loses its right', () => {
  const CHECKED = { check: 5 };

  it('a view ends within a check when its key is revoked', async () => {
    const caller = await seedCaller();
    const { id, credential } = await keyOf(caller);
    const view = await open(caller, credential, CHECKED);
    expect((await ask(caller, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    expect(await endOf(view)).toEqual(ended('invalid_credential'));
  });

  it('a view ends within a check when its member is removed', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const session = await openCredential(member);
    const view = await open(owner, async () => session, CHECKED);
    expect((await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=revoke`)).status).toBe(204);
    expect(await endOf(view)).toEqual(ended('wrong_client'));
  });

  it('a view ends within a check when its link is deleted', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const { credential } = await keyOf(caller);
    const view = await open(caller, credential, CHECKED, link.id);
    expect((await ask(caller, 'DELETE', `/v1/links/${link.id}`)).status).toBe(204);
    expect(await endOf(view)).toEqual(ended('gone'));
  });

  it('a view ends within a check when its access token expires', async () => {
    const caller = await seedCaller();
    const { credential } = await keyOf(caller);
    let checks = 0;
    const expiring = async () => {
      if (checks++ === 3) throw new AppError('invalid_credential', 'The token has expired. Use another one.');
      return credential();
    };
    expect(await endOf(await open(caller, expiring, CHECKED))).toEqual(ended('invalid_credential'));
    expect(checks).toBe(4);
  });
});

it('a view of live clicks ends when its client is erased, with the reason if it cannot be opened again', async () => {
  const caller = await seedCaller();
  const { id, credential } = await keyOf(caller);
  const views = [await open(caller, credential, {}), await open(caller, credential, {})];
  await env.STATISTICS.getByName(caller.clientId).erase();
  expect(await endOf(views[0]!)).toEqual(ended('interrupted'));
  expect((await ask(caller, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
  expect(await endOf(views[1]!)).toEqual(ended('invalid_credential'));
});

it('a view of live clicks ends as interrupted when the object is ended', async () => {
  const caller = await seedCaller();
  const view = await open(caller, (await keyOf(caller)).credential, {});
  const object = env.STATISTICS.getByName(caller.clientId);
  await runInDurableObject(object, (_object, state) => state.abort('ended by the test')).catch(() => undefined);
  expect(await endOf(view)).toEqual(ended('interrupted'));
});

it('a view of live clicks ends after its time, and beats until then while nothing happens', async () => {
  const caller = await seedCaller();
  const link = await seedLink(caller);
  const view = await open(caller, (await keyOf(caller)).credential, { beat: 5, end: 60_000 });
  expect(await view.next()).toEqual({ kind: 'beat' });
  await deliver([packOf(link, 1)]);
  let event = await view.next();
  while (event?.kind === 'beat') event = await view.next();
  expect(event).toMatchObject({ kind: 'lines', lines: [{ link: link.id, clicks: 1 }] });
  view.stop();
  const short = await open(caller, (await keyOf(caller)).credential, { beat: 5, end: 20 });
  expect(await endOf(short)).toEqual(ended('time'));
  expect(await short.next()).toBeNull();
});

it('a view of live clicks can be left while it waits', async () => {
  const caller = await seedCaller();
  const view = await open(caller, (await keyOf(caller)).credential, {});
  const waiting = view.next();
  view.stop();
  expect(await waiting).toBeNull();
});

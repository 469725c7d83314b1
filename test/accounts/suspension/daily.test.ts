import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { confirmMembers, type ConfirmByRefreshToken } from '../../../src/accounts/suspension/daily.ts';
import worker from '../../../src/index.ts';
import { seedApplicationPassword } from '../../support/application-passwords.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { addTo, giveFactor, seedIdentity, seedProvider } from '../../support/providers.ts';
import { db, rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A token endpoint, and a client that reads its responses as RFC 6749 has them (section 5). */
function openEndpoint(respond: (token: string) => Response) {
  const sent: string[] = [];
  const endpoint = async (request: Request): Promise<Response> => {
    const token = new URLSearchParams(await request.text()).get('refresh_token') ?? '';
    sent.push(token);
    return respond(token);
  };
  const ask: ConfirmByRefreshToken = async ({ issuer }, token) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token });
    const response = await endpoint(new Request(new URL('/token', issuer), { method: 'POST', body }));
    if (response.status >= 500) return { outcome: 'unknown' };
    const answer = await response.json<{ error?: string; refresh_token?: string }>();
    return answer.error === 'invalid_grant'
      ? { outcome: 'refused' }
      : { outcome: 'confirmed', refreshToken: answer.refresh_token ?? null };
  };
  return { ask, sent };
}

const refusal = () => Response.json({ error: 'invalid_grant' }, { status: 400 });

/** A member with a refresh token and an application password. */
async function openMember(refreshToken: string | null, confirmedAt = Date.now() - DAY_MS) {
  const owner = await seedTenant();
  const member = await seedTenant();
  await addTo(member, owner.clientId);
  const provider = await seedProvider(owner.clientId);
  const subject = await seedIdentity(provider, member, { refreshToken, confirmedAt });
  return { owner, clientId: owner.clientId, member, provider, subject };
}

// Without refresh tokens.
const unasked: ConfirmByRefreshToken = async () => ({ outcome: 'unknown' });

const isMember = async ({ userId }: Tenant, clientId: string) =>
  (await rowsOf('members')).some((row) => row['user_id'] === userId && row['client_id'] === clientId);
const identityOf = async (subject: string) => (await rowsOf('identities')).find((row) => row['subject'] === subject);
const suspendedOf = async ({ userId }: Tenant) =>
  (await rowsOf('suspended_members')).filter((row) => row['user_id'] === userId);

describe('the daily pass', () => {
  it('a person who is confirmed gets the new refresh token, and who is refused is suspended', async () => {
    const [confirmed, refused] = [await openMember('good'), await openMember('bad')];
    const { ask } = openEndpoint((token) => (token === 'bad' ? refusal() : Response.json({ refresh_token: 'next' })));
    await confirmMembers(db, ask, Date.now());
    expect(await identityOf(confirmed.subject)).toMatchObject({
      refresh_token: 'next',
      confirmed_at: expect.toSatisfy((at: number) => at > Date.now() - DAY_MS / 2),
    });
    expect(await isMember(confirmed.member, confirmed.clientId)).toBe(true);
    expect(await identityOf(refused.subject)).toMatchObject({ refresh_token: null, refused_at: expect.any(Number) });
    expect(await isMember(refused.member, refused.clientId)).toBe(false);
  });

  it('an outage changes nothing, and the provider is asked once', async () => {
    const scene = await openMember('a');
    const second = await seedTenant();
    await addTo(second, scene.clientId);
    const other = await seedIdentity(scene.provider, second, { refreshToken: 'b', confirmedAt: 1 });
    const identities = async () =>
      [await identityOf(scene.subject), await identityOf(other)].map((row) => ({ ...row, asked_at: null }));
    const before = await identities();
    const { ask, sent } = openEndpoint(() => new Response('down', { status: 503 }));
    await confirmMembers(db, ask, Date.now());
    expect(sent.filter((token) => token === 'a' || token === 'b')).toHaveLength(1);
    const failing: ConfirmByRefreshToken = async () => {
      throw new Error('connection refused');
    };
    await confirmMembers(db, failing, Date.now());
    expect(await identities()).toEqual(before);
    expect([await isMember(scene.member, scene.clientId), await isMember(second, scene.clientId)]).toEqual([
      true,
      true,
    ]);
  });

  it('a run asks for a bounded number of people, those asked longest ago first', async () => {
    await env.DB.prepare('UPDATE identities SET refresh_token = NULL').run();
    const scenes = [await openMember('one'), await openMember('two'), await openMember('three')];
    const { ask, sent } = openEndpoint(() => Response.json({}));
    await confirmMembers(db, ask, Date.now(), { maxAsked: 2 });
    await confirmMembers(db, ask, Date.now(), { maxAsked: 1 });
    expect(sent.toSorted()).toEqual(['one', 'three', 'two']);
    // The token that was sent stays valid.
    expect((await identityOf(scenes[0]!.subject))?.['refresh_token']).toBe('one');
    await confirmMembers(db, ask, Date.now(), { runMs: -1 });
    expect(sent).toHaveLength(3);
  });

  it('a provider with many people, or one that is slow or fails, leaves room for others', async () => {
    await env.DB.prepare('UPDATE identities SET refresh_token = NULL').run();
    const many = await openMember('many 1');
    for (const token of ['many 2', 'many 3']) {
      const member = await seedTenant();
      await addTo(member, many.clientId);
      await seedIdentity(many.provider, member, { refreshToken: token });
    }
    const other = await openMember('other');
    await env.DB.prepare('UPDATE identities SET asked_at = 1 WHERE subject = ?').bind(other.subject).run();
    const sent: string[] = [];
    const ask =
      (said: () => ReturnType<ConfirmByRefreshToken>): ConfirmByRefreshToken =>
      (_, token) => {
        sent.push(token);
        return token.startsWith('many') ? said() : Promise.resolve({ outcome: 'confirmed', refreshToken: null });
      };
    const askedIn = async (
      said: () => ReturnType<ConfirmByRefreshToken>,
      run: Parameters<typeof confirmMembers>[3],
    ) => {
      sent.length = 0;
      await confirmMembers(db, ask(said), Date.now(), run);
      return [...sent];
    };
    const confirmed = async () => ({ outcome: 'confirmed', refreshToken: null }) as const;
    expect(await askedIn(confirmed, { maxAsked: 2 })).toEqual([expect.stringMatching('many'), 'other']);
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return confirmed();
    };
    expect(await askedIn(slow, { runMs: 1000 })).toHaveLength(2);
    // A person who was asked for in vain comes last the next time.
    const failing = async () => ({ outcome: 'unknown' }) as const;
    const days = [await askedIn(failing, {}), await askedIn(failing, {}), await askedIn(failing, {})].flat();
    expect(days.filter((token) => token !== 'other').toSorted()).toEqual(['many 1', 'many 2', 'many 3']);
  });

  it('owners who stay do not keep others from being suspended', async () => {
    const now = Date.now();
    await env.DB.prepare('UPDATE identities SET confirmed_at = ?, warned_at = NULL').bind(now).run();
    const { owner, clientId, member, provider, subject } = await openMember(null, 1);
    const last = await seedIdentity(provider, owner, { confirmedAt: 1 });
    await env.DB.batch(
      [last, subject].map((each, index) =>
        env.DB.prepare('UPDATE identities SET warned_at = ? WHERE subject = ?').bind(index + 1, each),
      ),
    );
    await confirmMembers(db, unasked, now, { maxSuspended: 1 });
    expect([await isMember(owner, clientId), await isMember(member, clientId)]).toEqual([true, false]);
  });

  it('a person with nothing that outlives a session of the provider is not asked for', async () => {
    await env.DB.prepare('UPDATE identities SET refresh_token = NULL').run();
    const { member } = await openMember('quiet');
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE user_id = ?').bind(member.userId).run();
    const { ask, sent } = openEndpoint(() => Response.json({}));
    await confirmMembers(db, ask, Date.now());
    expect(sent).toEqual([]);
    await seedApplicationPassword(member);
    await confirmMembers(db, ask, Date.now());
    expect(sent).toEqual(['quiet']);
  });

  it('a person who is not confirmed for 30 days is warned seven days before, and suspended', async () => {
    const now = Date.now();
    const { clientId, member, subject } = await openMember(null, now - 22 * DAY_MS);
    const { browse } = await openBrowser(member);
    const overview = `/platform/c/${clientId}`;
    await confirmMembers(db, unasked, now);
    expect((await identityOf(subject))?.['warned_at']).toBeNull();
    await confirmMembers(db, unasked, now + DAY_MS);
    expect((await identityOf(subject))?.['warned_at']).toBe(now + DAY_MS);
    const warned = await (await browse(overview)).text();
    expect(warned).toContain('Example ID has not confirmed your account for some time.');
    await confirmMembers(db, unasked, now + 7 * DAY_MS);
    expect(await isMember(member, clientId)).toBe(true);
    await confirmMembers(db, unasked, now + 8 * DAY_MS);
    expect(await isMember(member, clientId)).toBe(false);
    expect(await suspendedOf(member)).toMatchObject([{ client_id: clientId, suspended_at: now + 8 * DAY_MS }]);
  });

  it('owners choose the days, or turn it off, with a fresh confirmation', async () => {
    const now = Date.now();
    const { owner, clientId, member, provider, subject } = await openMember(null, now - 300 * DAY_MS);
    const { browse } = await openBrowser(owner);
    const days = `/platform/c/${clientId}/settings/provider/days`;
    await confirmMembers(db, unasked, now);
    expect(placeOf(await browse(days, form({ unconfirmed_days: 'never' })))[0]).toBe(303);
    await confirmMembers(db, unasked, now + 8 * DAY_MS);
    expect([(await identityOf(subject))?.['warned_at'], await isMember(member, clientId)]).toEqual([null, true]);
    await browse(days, form({ unconfirmed_days: '90' }));
    const row = (await rowsOf('providers')).find(({ id }) => id === provider.id);
    expect(row?.['unconfirmed_days']).toBe(90);
    expect((await browse(days, form({ unconfirmed_days: '1' }))).status).toBe(400);
    const audit = (await rowsOf('audit_entries')).filter(
      (each) => each['client_id'] === clientId && each['action'] === 'client.changed',
    );
    expect(audit.map((each) => each['details'])).toEqual(['{"unconfirmed_days":null}', '{"unconfirmed_days":90}']);
    await env.DB.prepare('UPDATE token_families SET started_at = 1 WHERE user_id = ?').bind(owner.userId).run();
    expect((await browse(days, form({ unconfirmed_days: 'never' }))).headers.get('Location')).toMatch(/confirm/);
  });

  it('the emergency owner stays where no owner is confirmed', async () => {
    const now = Date.now();
    const { owner, clientId, member, provider } = await openMember(null, 1);
    await seedIdentity(provider, owner, { confirmedAt: 1 });
    const emergency = await seedTenant();
    await addTo(emergency, clientId, 'owner');
    await giveFactor(emergency);
    await seedIdentity(provider, emergency, { confirmedAt: 1 });
    await env.DB.prepare(`UPDATE members SET role = 'owner' WHERE user_id = ?`).bind(member.userId).run();
    const run = async () => {
      await confirmMembers(db, unasked, now);
      await confirmMembers(db, unasked, now + 8 * DAY_MS);
    };
    await env.DB.prepare(
      'UPDATE clients SET required_provider = ?, break_glass_id = ?, required_since = 1 WHERE id = ?',
    )
      .bind(provider.id, emergency.userId, clientId)
      .run();
    await run();
    expect([
      await isMember(owner, clientId),
      await isMember(member, clientId),
      await isMember(emergency, clientId),
    ]).toEqual([false, false, true]);
  });

  it('where the provider refuses all, the emergency owner stays', async () => {
    await env.DB.prepare('UPDATE identities SET refresh_token = NULL').run();
    // The one who is asked for first.
    const { owner, clientId, member: emergency, provider, subject } = await openMember('emergency');
    await env.DB.prepare('UPDATE identities SET asked_at = 1 WHERE subject <> ?').bind(subject).run();
    await giveFactor(emergency);
    await env.DB.prepare(`UPDATE members SET role = 'owner' WHERE user_id = ?`).bind(emergency.userId).run();
    const other = await seedIdentity(provider, owner, { refreshToken: 'owner' });
    await env.DB.prepare('UPDATE identities SET asked_at = 1 WHERE subject = ?').bind(other).run();
    await env.DB.prepare(
      'UPDATE clients SET required_provider = ?, break_glass_id = ?, required_since = 1 WHERE id = ?',
    )
      .bind(provider.id, emergency.userId, clientId)
      .run();
    const { ask, sent } = openEndpoint(refusal);
    await confirmMembers(db, ask, Date.now());
    expect(sent).toEqual(['emergency', 'owner']);
    expect([await isMember(emergency, clientId), await isMember(owner, clientId)]).toEqual([true, false]);
  });

  it('the daily clean-up does the pass', async () => {
    const { clientId, member, subject } = await openMember(null, 1);
    await env.DB.prepare('UPDATE identities SET warned_at = 1 WHERE subject = ?').bind(subject).run();
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await isMember(member, clientId)).toBe(false);
  });
});

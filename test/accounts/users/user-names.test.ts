import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { describe, expect, it } from 'vitest';
import { addUser } from '../../../src/accounts/operator.ts';
import { expectFailure, seedCaller } from '../../support/forms.ts';
import { acceptAsNew, invite } from '../../support/invites.ts';
import { newAddress } from '../../support/address.ts';
import { leastCostHash } from '../../support/least-cost.ts';
import { basicOf, db, seedTenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const TAKEN = expect.stringMatching(/^name_taken: /);

describe('a new user name', () => {
  it.each(['Ann.Lee+1', 'ann lee', 'Zoë', 'Иван', '東京 太郎', 'אברהם 1', '𞤀𞤣𞤢𞤥', "o'neil@example.com"])(
    'a new user name may be %s',
    async (name) => {
      const own = `${name}${String(Math.random()).slice(2, 12)}`;
      const { token } = await invite(await seedCaller());
      expect((await acceptAsNew(token, { name: own })).status).toBe(201);
      expect(await env.DB.prepare('SELECT name FROM users WHERE name = ?').bind(own).first('name')).toBe(own);
    },
  );

  it.each([
    ['a wide form', 'ａnn'],
    ['a ligature', 'ﬁn'],
    ['an emoji', 'ann🎉'],
    ['two spaces', 'ann  lee'],
    ['another space', 'ann\u00a0lee'],
    ['a zero-width joiner', 'an\u200dn'],
    ['a filler', 'ann\u3164'],
    ['a variation selector', 'ann\ufe0f'],
    ['what turns the direction', 'ann\u202ennA'],
    ['an isolate', 'ann\u2067'],
    ['both directions', 'annאב'],
    ['a digit before letters from right to left', '1אב'],
    ['both directions, Adlam', 'ann𞤢'],
    ['both directions, Rohingya', '𐴀ann'],
    ['both directions, Samaritan', 'annࠀ'],
    ['a stroke that lengthens a word', 'مـحمد'],
    ['a sign for once more', 'こ〱'],
    ['old Hangul', '\u1100\u1161\u11a8\u11a9'],
    ['a code point of nobody', 'ann\u{fffff}'],
  ])('a new user name may not have %s', async (_what, name) => {
    const { token } = await invite(await seedCaller());
    await expectFailure(
      await acceptAsNew(token, { name }),
      400,
      expect.stringMatching(/^invalid_name: name must contain only letters, /),
    );
  });

  it.each([
    ['in capitals', 'Pavel', 'PAVEL'],
    ['in Cyrillic letters', 'pace', 'расе'],
    ['in Greek capitals', 'BOTE', 'ΒΟΤΕ'],
    ['with ß for ss', 'weiss', 'weiß'],
    ['with a Lisu letter', 'admin', 'ꓮdmin'],
    ['with a syllabic', 'admin', 'ᗅdmin'],
    ['with a small capital', 'admin', 'ᴀdmin'],
    ['with an Armenian letter', 'admin', 'admiո'],
    ['in ASCII, after one in Cherokee', 'ꭺdmin', 'admin'],
    ['with a stroke for I', 'Ian', 'ꓲan'],
    ['with a ring for 0', 'b0b', 'b൦b'],
  ])('a new user name is taken by one that looks alike %s', async (_what, name, alike) => {
    const own = String(Math.random()).slice(2, 12);
    const add = (user: string) =>
      addUser(db, { name: user, password: 'correct horse', clientId: `client-${nanoid(8)}` }, leastCostHash);
    expect(await add(name + own)).not.toBeNull();
    const { token } = await invite(await seedCaller());
    await expectFailure(await acceptAsNew(token, { name: alike + own }), 409, TAKEN);
    expect(await add(alike + own)).toBeNull();
  });

  it('a new user name is decided by the database if two users join at once', async () => {
    const own = String(Math.random()).slice(2, 12);
    const tokens = await Promise.all([1, 2].map(async () => (await invite(await seedCaller())).token));
    const answers = await Promise.all(
      tokens.map((token, turn) => acceptAsNew(token, { name: `${turn ? 'расе' : 'pace'}${own}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

it('a name that exists already signs in beside one that it looks like', async () => {
  const own = nanoid(6);
  const names = [`admin${own}`, `ꓮdmin${own}`, `ᴀdmin${own}`];
  for (const name of names) {
    const { userId, password } = await seedTenant();
    const update = 'UPDATE users SET name = ?2, skeleton = NULL WHERE id = ?1';
    await env.DB.prepare(update).bind(userId, name).run();
    const headers = { Authorization: basicOf(name, password), 'CF-Connecting-IP': newAddress() };
    expect((await call('/tokens/create_token', { headers })).status).toBe(201);
  }
});

it.each(['ann 🎉', 'Ａnn', 'ann\u200d'])('a name that exists already can still sign in: %j', async (former) => {
  const { userId, password } = await seedTenant();
  const name = `${former}${nanoid(4)}`;
  await env.DB.prepare('UPDATE users SET name = ?2, skeleton = NULL WHERE id = ?1').bind(userId, name).run();
  const headers = { Authorization: basicOf(name, password), 'CF-Connecting-IP': newAddress() };
  expect((await call('/tokens/create_token', { headers })).status).toBe(201);
});

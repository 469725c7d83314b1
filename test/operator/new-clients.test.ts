import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { newName } from '../support/sign-in.ts';
import { openOperator } from '../support/operator.ts';

afterEach(() => void vi.restoreAllMocks());

it('creates the object of a new client, also of one to which a user is added, so that no visitor decides its place', async () => {
  const getByName = vi.spyOn(env.STATISTICS, 'getByName');
  const operator = await openOperator();
  const name = newName();
  const [first, second] = [`first-${name}`, `second-${name}`];
  await operator.ask('add-user', { name, client_id: first, password: 'correct horse' });
  expect(getByName.mock.calls).toEqual([[first]]);
  await operator.ask('join-client', { name, client_id: second });
  expect(getByName.mock.calls).toEqual([[first], [second]]);
});

it('adds a user also while the object does not respond', async () => {
  vi.spyOn(env.STATISTICS, 'getByName').mockImplementation(() => {
    throw new Error('Network connection lost.');
  });
  const operator = await openOperator();
  const name = newName();
  const response = await operator.ask('add-user', { name, client_id: `client-${name}`, password: 'correct horse' });
  expect(response.status).toBe(200);
});

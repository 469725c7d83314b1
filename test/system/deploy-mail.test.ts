import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Response } from 'miniflare';
import { expect, it } from 'vitest';
import { changesOf, openBuiltDeploys, stepsOf } from './support/deploys.ts';

const ORIGIN = 'https://go.example.com';
const API = 'https://mail.example.com/emails';

it('a deploy sends mails by the binding, and by an API once the Worker has its secret', async () => {
  const received: { readonly url: string; readonly token: string | null; readonly mail: unknown }[] = [];
  const deploys = await openBuiltDeploys({
    zones: ['example.com'],
    internet: async (request) => {
      const token = request.headers.get('Authorization');
      received.push({ url: request.url, token, mail: await request.json() });
      return new Response('{}');
    },
  });
  const { folder, cloudflare, deploy, runShell } = deploys;
  const toml = join(folder, 'wrangler.toml');
  const edit = (from: string, to: string) => {
    const text = readFileSync(toml, 'utf8');
    expect(text).toContain(from);
    writeFileSync(toml, text.replace(from, to));
  };
  /** Sends a mail that waits, as the cron of every five minutes finds it. */
  const send = async (id: string) => {
    const now = Date.now();
    await cloudflare.rows(
      'terse',
      `INSERT INTO mails (id, kind, address, details, created_at, expires_at, next_try_at)
       VALUES (?1, 'password_changed', 'ann@mail.example', '{"by":"operator"}', ?2, ?2 + 3600000, 1) RETURNING id`,
      id,
      now,
    );
    expect(await cloudflare.runCron('terse', '*/5 * * * *')).toBe('ok');
    await cloudflare.queuesSettled();
    return cloudflare.rows('terse', 'SELECT sent_at IS NOT NULL AS sent, error FROM mails WHERE id = ?', id);
  };
  const hasForgot = async () =>
    (await cloudflare.visit(`${ORIGIN}/platform/sign-in`)).body.includes('/platform/forgot');

  edit('MAIL_FROM = ""', 'MAIL_FROM = "links@example.com"');
  writeFileSync(toml, `${readFileSync(toml, 'utf8')}\n[[send_email]]\nname = "MAIL"\n`);
  const unnamed = await deploy();
  expect([unnamed.code, unnamed.stderr, changesOf(cloudflare)]).toEqual([
    2,
    'MAIL_FROM in wrangler.toml is set, but the links of mails need PUBLIC_URL, and nothing was changed: add a domain of your own with --domain, or set PUBLIC_URL to the origin of the service.\n',
    [],
  ]);
  const first = await deploy('--domain', 'go.example.com');
  expect([first.code, first.stderr, stepsOf(first)['mail']]).toEqual([0, '', 'sent by the binding MAIL']);
  const bound = cloudflare.state.scripts.get('terse')?.versions.at(-1)?.bindings;
  expect(bound?.find(({ name }) => name === 'MAIL')).toEqual({ name: 'MAIL', type: 'send_email' });
  expect(await hasForgot()).toBe(true);
  expect(await send('by-binding')).toEqual([{ sent: 1, error: null }]);
  expect(received).toEqual([
    {
      url: 'https://email-sending.example/',
      token: null,
      mail: expect.objectContaining({
        from: { name: 'Terse', email: 'links@example.com' },
        to: 'ann@mail.example',
        text: expect.stringContaining(`${ORIGIN}/platform/forgot`),
      }),
    },
  ]);

  edit('MAIL_URL = ""', `MAIL_URL = "${API}"`);
  const from = cloudflare.requests.length;
  const refused = await deploy();
  expect([refused.code, refused.stderr, changesOf(cloudflare, from)]).toEqual([
    2,
    expect.stringMatching(/^MAIL_URL in wrangler\.toml is set, but the Worker has no secret MAIL_TOKEN, and nothing /),
    [],
  ]);
  const command = /run "(.*)"/.exec(refused.stderr)?.[1] ?? 'false';
  const { code } = await runShell(`printf 'mail-secret' | ${command}`);
  expect([code, cloudflare.secrets('terse').get('MAIL_TOKEN')]).toEqual([0, 'mail-secret']);
  const second = await deploy();
  expect([second.code, second.stderr, stepsOf(second)['mail']]).toEqual([0, '', 'sent by mail.example.com']);
  // The secret stays.
  expect(cloudflare.secrets('terse').get('MAIL_TOKEN')).toBe('mail-secret');
  expect(await send('by-api')).toEqual([{ sent: 1, error: null }]);
  expect(received.slice(1)).toEqual([
    {
      url: API,
      token: 'Bearer mail-secret',
      mail: expect.objectContaining({ from: '"Terse" <links@example.com>', to: ['ann@mail.example'] }),
    },
  ]);
  expect(cloudflare.unknown).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from './support/processes.ts';
import { copyProject, linesOf } from './support/project.ts';
import { expectPortRefusal } from './support/refusals.ts';
import { callStart } from './support/tools.ts';

const KEYS_FAULT =
  /^\.dev\.vars: TOKEN_KEYS is not a JSON list of private Ed25519 JWKs; remove that line to create a new key\.$/;

describe('a start that cannot be', () => {
  const folder = copyProject();

  it.each([
    ['--port', 'abc', /^--port takes a number from 1 to 65535: --port 8788$/],
    ['--port', '0', /^--port takes a number/],
    ['--port', '65536', /^--port takes a number/],
    ['--ip', 'home', /^--ip takes an IP address: --ip 0\.0\.0\.0$/],
    [
      '--ip',
      '203.0.113.1',
      /^This machine does not have the address 203\.0\.113\.1: choose one of its addresses with --ip\.$/,
    ],
    [
      '--test-scheduled',
      '',
      /^"npm start" does not take --test-scheduled: it takes --port N, --ip ADDRESS, --persist-to DIR, --trust-proxy CIDR, --trust-cloudflare-headers and --var NAME:value\.$/,
    ],
    ['--persist-to', '', /^--persist-to takes a folder: --persist-to \.\/state$/],
    ['--persist-to', 'package.json', /^The folder package\.json cannot be written: choose another with --persist-to/],
    [
      '--trust-proxy',
      'nginx',
      /^--trust-proxy "nginx": it takes the addresses of your proxies, as in --trust-proxy 127\.0\.0\.1 or /,
    ],
    ['--trust-proxy', '', /^--trust-proxy "": it takes the addresses/],
    ['--trust-proxy', '127.0.0.1,', /^--trust-proxy "": it takes the addresses/],
    ['--trust-proxy', '10.0.0.0/33', /^--trust-proxy "10\.0\.0\.0\/33": it takes/],
    ['--trust-proxy', '10/8', /^--trust-proxy "10\/8": it takes/],
    ['--trust-proxy', 'fd00::/129', /^--trust-proxy "fd00::\/129": it takes/],
    [
      '--trust-proxy',
      '127.0.0.1,0.0.0.0/0',
      /^--trust-proxy 0\.0\.0\.0\/0 would let all callers choose their addresses: give the addresses of your proxies only\.$/,
    ],
    ['--trust-proxy', '::/0', /^--trust-proxy ::\/0 would let all callers/],
    ['--trust-proxy', '::ffff:0:0/96', /^--trust-proxy ::ffff:0:0\/96 would let all callers/],
    ['--trust-proxy', '10.0.0.1,'.repeat(101), /^--trust-proxy takes at most 100 ranges\.$/],
    [
      '--trust-cloudflare-headers',
      '',
      /^--trust-cloudflare-headers needs --trust-proxy with the address from which requests come through Cloudflare: --trust-proxy 127\.0\.0\.1$/,
    ],
    ['--trust-cloudflare-headers=no', '', /^--trust-cloudflare-headers takes no value\.$/],
    ['--var', 'nonsense', /^--var takes NAME:value: --var ACCESS_TOKEN_SECONDS:600$/],
    [
      '--var',
      'ACCESS_TOKEN_SECONDS:abc',
      /^ACCESS_TOKEN_SECONDS must be a whole number of seconds from 60 to 2592000\.$/,
    ],
    ['--var', 'ACCESS_TOKEN_SECONDS:59', /^ACCESS_TOKEN_SECONDS must be a whole number/],
    ['--var', 'MEMORY_SECONDS:-1', /^MEMORY_SECONDS must be a whole number of seconds from 0 to 3600\.$/],
    ['--var', 'ENCODE_CUTOFF:tomorrow', /^ENCODE_CUTOFF must be an ISO 8601 instant such as 2027-01-01T00:00:00Z/],
    ['--var', 'PUBLIC_URL:go.example.com', /^PUBLIC_URL must be an http or https origin/],
    ['--var', 'CREATE_LIMITING:maybe', /^CREATE_LIMITING must be "on" or "off"\.$/],
    ['--var', 'TOKEN_KEYS:[]', /^TOKEN_KEYS must be a JSON list/],
  ])('a start says how to correct %s %s', async (option, value, sentence) => {
    expect(await refusal(folder, [option, value])).toMatch(sentence);
  });

  it('a start reads every pair after one --var', async () => {
    const sentence = await refusal(folder, ['--var', 'MEMORY_SECONDS:1', 'ACCESS_TOKEN_SECONDS:abc']);
    expect(sentence).toMatch(/^ACCESS_TOKEN_SECONDS must be/);
  });

  it.each([
    ['junk', 'what is this\n', /^\.dev\.vars is broken at "what is this": write NAME=value lines, or remove the file/],
    ['junk after good lines', 'MEMORY_SECONDS=5\n{"kty":"OKP"}\n', /^\.dev\.vars is broken at /],
    ['bad JSON', "TOKEN_KEYS='[{\n", KEYS_FAULT],
    ['no JSON', 'TOKEN_KEYS=abc\n', KEYS_FAULT],
    ['no keys', 'TOKEN_KEYS=\n', KEYS_FAULT],
    ['an empty list', "TOKEN_KEYS='[]'\n", KEYS_FAULT],
    [
      'a key without its private part',
      `TOKEN_KEYS='[{"kty":"OKP","crv":"Ed25519","x":"${'A'.repeat(43)}"}]'\n`,
      KEYS_FAULT,
    ],
    ['a malformed setting', 'MEMORY_SECONDS=soon\n', /^\.dev\.vars: MEMORY_SECONDS must be a whole number of seconds/],
  ])('a start says how to correct a .dev.vars that holds %s, and leaves it as it is', async (_, text, sentence) => {
    const folder = copyProject();
    writeFileSync(join(folder, '.dev.vars'), text);
    expect(await refusal(folder, [])).toMatch(sentence);
    // Keys are added where there are none; what is there stays, byte for byte.
    expect(readFileSync(join(folder, '.dev.vars'), 'utf8').startsWith(text)).toBe(true);
  });

  it('a start says that a port is in use, and which option chooses another', async () => {
    await expectPortRefusal((args) => refusal(folder, args));
  });
});

/** The one sentence with which a start ends. */
async function refusal(folder: string, args: readonly string[]): Promise<string> {
  const port = args.includes('--port') ? [] : ['--port', String(await freePort())];
  const { code, stdout, stderr } = await callStart(folder, [...port, ...args]);
  expect([code, stdout]).toEqual([2, '']);
  const lines = linesOf(stderr);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

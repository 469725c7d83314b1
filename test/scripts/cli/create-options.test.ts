import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import documented from '../../../cli/src/new-link-fields.json' with { type: 'json' };
import { terseOf } from '../support/cli.ts';
import { ROOT } from '../support/project.ts';
import { openStub, sendJson, type StubService } from '../support/stub-service.ts';

/** The options of `terse create`, and the fields that they set. */

const GIVEN = {
  '--slug': ['sale', { slug: 'sale' }],
  '--domain': ['go.example.com', { custom_domain: 'go.example.com' }],
  '--title': ['2027', { title: '2027' }],
  '--comments': ['For the poster.', { comments: 'For the poster.' }],
  '--sec-id': ['7', { sec_id: '7' }],
  '--external-id': ['product-1', { external_id: 'product-1' }],
  '--campaign': ['Spring', { campaign_name: 'Spring' }],
  '--tags': ['print, berlin', { tags: ['print', 'berlin'] }],
  '--metadata': ['{"team":"web"}', { metadata: '{"team":"web"}' }],
  '--starts': ['2027-01-01T00:00:00Z', { starts_at: '2027-01-01T00:00:00Z' }],
  '--expires': ['2027-01-31T12:00:00Z', { expires_at: '2027-01-31T12:00:00Z' }],
  '--max-clicks': ['1000000000', { max_clicks: 1_000_000_000 }],
  '--fallback': ['https://example.com/app', { fallback: 'https://example.com/app' }],
  '--expired-url': ['https://example.com/over', { expired_url: 'https://example.com/over' }],
  '--redirect-status': ['301', { redirect_status: 301 }],
  '--forward-query': ['keep', { forward_query: 'keep' }],
  '--forward-path': [null, { forward_path: true }],
  '--language': ['zh-Hans', { language: 'zh-Hans' }],
} as const;

let stub: StubService;
afterEach(() => stub?.close());

async function open(document: unknown, status?: number) {
  stub = await openStub((response) => sendJson(response, document, status));
  return terseOf(join(ROOT, 'bin'), { TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' });
}

it('sets the field of each option', async () => {
  const terse = await open({ id: 'abc', short_url: 'https://go.example.com/abc' });
  const words = Object.entries(GIVEN).flatMap(([option, [value]]) => (value === null ? [option] : [option, value]));
  const { stdout, stderr } = await terse(['create', 'https://example.com/', ...words]);
  expect([stdout, stderr]).toEqual(['https://go.example.com/abc\n', '']);
  const fields = Object.assign({}, ...Object.values(GIVEN).map(([, field]) => field));
  expect(JSON.parse(stub.sent[0]?.body ?? '')).toEqual({ url: 'https://example.com/', ...fields });
});

it('lists an option for each field that is a text, a number or a flag', async () => {
  const terse = await open({});
  const { stdout } = await terse(['create', '--help']);
  const listed = [...stdout.matchAll(/^ +(--[\w-]+)/gm)].map(([, option = '']) => option);
  expect(listed).toEqual(expect.arrayContaining([...Object.keys(GIVEN), '--password']));
  const fields = new Set(Object.values(GIVEN).flatMap(([, field]) => Object.keys(field)));
  const others = Object.keys(documented).filter((name) => !fields.has(name) && !listed.includes(`--${name}`));
  expect(others).toEqual(['rules', 'variants', 'preview', 'inspectable', 'ask_first', 'check_destination']);
});

it('leaves the check of values to the service, and names the option of a field', async () => {
  const errors = ['max_clicks', 'campaign_name', 'password'].map((field) => ({ field, detail: `${field} is wrong.` }));
  const terse = await open({ code: 'invalid_max_clicks', detail: 'max_clicks is wrong.', errors }, 400);
  const outcome = await terse(['create', 'https://example.com/', '--max-clicks', '7 times']);
  expect(JSON.parse(stub.sent[0]?.body ?? '')).toEqual({ url: 'https://example.com/', max_clicks: '7 times' });
  expect(outcome.code).toBe(1);
  expect(outcome.stderr.split('\n').slice(1, 4)).toEqual([
    '  --max-clicks: max_clicks is wrong.',
    '  --campaign: campaign_name is wrong.',
    '  --password: password is wrong.',
  ]);
});

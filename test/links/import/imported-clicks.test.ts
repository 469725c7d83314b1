import { expect, it } from 'vitest';
import { JSON_FILE } from '../../support/exports.ts';
import { importFile, newSlug, openClient } from '../../support/files.ts';

const MOST = Number.MAX_SAFE_INTEGER;

it.each([0, '0', 1, '12', MOST, String(MOST)])('the clicks of an imported link can be %j', async (clicks) => {
  const row = { slug: newSlug(), url: 'https://example.com/', imported_clicks: clicks };
  const { results } = await importFile(await openClient(), JSON.stringify([row]), { type: JSON_FILE });
  expect(results[0]?.link?.imported_clicks).toBe(Number(clicks));
});

it.each([-1, '-1', 1.5, '1.5', MOST + 1, String(MOST + 1), 'x', '12345678901234567'])(
  'the clicks of an imported link cannot be %j',
  async (clicks) => {
    const row = { slug: newSlug(), url: 'https://example.com/', imported_clicks: clicks };
    const { results } = await importFile(await openClient(), JSON.stringify([row]), { type: JSON_FILE });
    expect(results[0]?.error).toContain('imported_clicks must be a whole number from 0 to 9007199254740991');
  },
);

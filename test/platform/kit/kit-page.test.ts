import { describe, expect, it } from 'vitest';
import { ICON_NAMES } from '../../../src/design/icon-names.ts';
import { call, openIsolate } from '../../support/service.ts';

describe('the page of the kit', () => {
  it('the page of the kit shows each kind of component and every icon in a local run', async () => {
    const response = await openIsolate({ WEBHOOK_LOOPBACK: 'on' })('/platform/kit');
    expect(response.status).toBe(200);
    const text = await response.text();
    for (const name of ICON_NAMES) expect(text).toContain(`#${name}"`);
    const parts = [...text.matchAll(/<h2 id="[^"]+">([^<]+)/g)].map(([, title]) => title);
    expect(parts).toEqual([
      'Short links',
      'Buttons',
      'Fields',
      'Words with a meaning',
      'Lists and facts',
      'Texts to copy',
      'Icons',
    ]);
  });

  it('the page of the kit is not found elsewhere', async () => {
    expect((await call('/platform/kit')).status).toBe(404);
  });
});

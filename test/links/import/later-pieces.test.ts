import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { parseLinkFile } from '../../../src/links/import/import-file.ts';
import { readHostChoices } from '../../../src/links/import/formats/hosts.ts';
import { ORIGIN } from '../../support/service.ts';

const site = { requestUrl: new URL(ORIGIN), publicUrl: null };

/** The rows of a piece: the number, and the slug or the error of each. */
async function read(items: readonly object[], options: Parameters<typeof parseLinkFile>[3]) {
  const { rows } = await parseLinkFile([Buffer.from(JSON.stringify(items))], 'json', site, options);
  return rows.map(({ number, content }) => [number, content instanceof AppError ? content.code : content.slug]);
}

describe('a later piece whose format is known', () => {
  const options = { from: 'kutt', rowsBefore: 1000 };
  const link = { address: 'b', target: 'https://example.com/', domain: 'go.example.com' };

  it('a later piece whose format is known has the numbers of the file', async () => {
    expect(await read([link], options)).toEqual([[1001, 'b']]);
  });

  it('a later piece whose format is known may begin with a row without a destination', async () => {
    const expected = [
      [1001, 'missing_field'],
      [1002, 'b'],
    ];
    expect(await read([{ address: 'a', domain: 'go.example.com' }, link], options)).toEqual(expected);
    const map = { url: 'target', slug: 'address', short_url: 'link' };
    const hosts = readHostChoices([':go.example.com']);
    expect(await read([{ address: 'a' }, link], { map, hosts, rowsBefore: 1000 })).toEqual(expected);
    await expect(read([{ address: 'a', domain: 'go.example.com' }, link], { from: 'kutt' })).rejects.toThrow(
      'This is no export of Kutt',
    );
  });
});

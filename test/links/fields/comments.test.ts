import { describe, expect, it } from 'vitest';
import { exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open } from '../../support/manage.ts';

describe('comments', () => {
  it('the comments of a link keep their lines, with any line ends, each of which counts as one character', async () => {
    const manager = await open();
    const comments = `first\tone\r\n${'x\r\n'.repeat(994)}`;
    const id = await manager.make({ comments });
    expect(await manager.read(id)).toMatchObject({ comments: comments.replaceAll('\r\n', '\n') });
    const more = await manager.ask('PATCH', `/v1/links/${id}`, { comments: `${comments}xyz` });
    expect(more).toMatchObject({ status: 400, body: failed('too_long') });
    const { body } = await manager.ask('PATCH', `/v1/links/${id}`, { comments: 'a\r\nb' });
    expect(body).toMatchObject({ comments: 'a\nb' });
  });

  it('the comments of a link keep each line end as a line feed, and go unchanged through an export and an import', async () => {
    const manager = await open();
    const id = await manager.make({ slug: newSlug(), comments: 'a\r\r\nb\rc\n\rd' });
    expect(await manager.read(id)).toMatchObject({ comments: 'a\n\nb\nc\n\nd' });
    const csv = await exportFile(manager, 'csv');
    const ndjson = await exportFile(manager, 'ndjson');
    expect(outcomesOf(await importFile(manager, csv))).toEqual(['unchanged']);
    expect(outcomesOf(await importFile(manager, ndjson, { type: NDJSON }))).toEqual(['unchanged']);
    const { slug: _, ...link } = JSON.parse(ndjson) as Record<string, unknown>;
    const { url, comments } = link as { url: string; comments: string };
    expect(outcomesOf(await importFile(manager, JSON.stringify(link), { type: NDJSON }))).toEqual(['unchanged']);
    expect(outcomesOf(await importFile(manager, `url,comments\r\n${url},"${comments}"\r\n`))).toEqual(['unchanged']);
    // As some programs write it.
    expect(outcomesOf(await importFile(manager, `url,comments\r\n${url},"a\r\r\nb\rc\n\rd"\r\n`))).toEqual([
      'unchanged',
    ]);
  });
});

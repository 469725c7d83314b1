import { describe, expect, it } from 'vitest';
import { openOwner, refused, seedWebhook, type WebhookRecord } from '../support/webhook-owners.ts';

/** The tag and the campaign that a webhook is limited to. */

describe('a tag that a webhook is limited to', () => {
  it('a tag that a webhook is limited to is not deleted, until the webhook is changed or deleted', async () => {
    const owner = await openOwner();
    await owner.make({ tags: ['Summer'] });
    const [tag] = (await owner.ask<{ tags: { id: string }[] }>('GET', '/v1/tags')).body.tags;
    const [one, two] = [await seedWebhook(owner, { tag: 'Summer' }), await seedWebhook(owner, { tag: 'Summer' })];
    const remove = () => owner.ask('DELETE', `/v1/tags/${tag!.id}`, undefined, owner.key);
    const inUse = refused(
      'tag_in_use: A webhook sends only events about links with the tag Summer. An owner must change or delete that webhook first.',
    );
    for (const change of [
      () => owner.ask('PATCH', `/v1/webhooks/${one.id}`, { tag: null }),
      () => owner.ask('DELETE', `/v1/webhooks/${two.id}`),
    ]) {
      const { status, body } = await remove();
      expect([status, body]).toEqual([409, inUse]);
      await change();
    }
    expect((await owner.ask<{ links: { tags: string[] }[] }>('GET', '/v1/links')).body.links[0]?.tags).toEqual([
      'Summer',
    ]);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
  });

  it('a tag that a webhook is limited to is shown by its new name when it is renamed', async () => {
    const owner = await openOwner();
    const { body: tag } = await owner.ask<{ id: string }>('POST', '/v1/tags', { name: 'Summer' });
    const { id } = await seedWebhook(owner, { tag: 'Summer' });
    await owner.ask('PATCH', `/v1/tags/${tag.id}`, { name: 'Autumn' });
    expect((await owner.ask('GET', `/v1/webhooks/${id}`)).body).toMatchObject({ tag: 'Autumn' });
  });

  it('a tag of another client can be deleted though a webhook is limited to one of that name', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    await owner.ask('POST', '/v1/tags', { name: 'Summer' });
    await seedWebhook(owner, { tag: 'Summer' });
    const { body: tag } = await other.ask<{ id: string }>('POST', '/v1/tags', { name: 'Summer' });
    expect((await other.ask('DELETE', `/v1/tags/${tag.id}`)).status).toBe(204);
  });
});

describe('a campaign that a webhook is limited to', () => {
  it('a campaign that a webhook is limited to goes along with its new name, in each spelling, and only for its client', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    await owner.make({ campaign_name: 'Spring' });
    const seeded = [
      await seedWebhook(owner, { campaign_name: 'Spring' }),
      await seedWebhook(owner, { campaign_name: 'SPRING' }),
      await seedWebhook(owner, { campaign_name: 'Autumn' }),
      await seedWebhook(owner),
    ];
    const theirs = await seedWebhook(other, { campaign_name: 'Spring' });
    const sent = await owner.ask('PATCH', '/v1/campaigns/Spring', { name: 'Spring 2027' });
    expect(sent.status).toBe(200);
    const campaignOf = async ({ id }: WebhookRecord, by = owner) =>
      (await by.ask<WebhookRecord>('GET', `/v1/webhooks/${id}`)).body.campaign_name;
    expect(await Promise.all(seeded.map((webhook) => campaignOf(webhook)))).toEqual([
      'Spring 2027',
      'Spring 2027',
      'Autumn',
      null,
    ]);
    expect(await campaignOf(theirs, other)).toBe('Spring');
  });

  it('a campaign that a webhook is limited to stays as it is when its links are merged into another campaign', async () => {
    const owner = await openOwner();
    await owner.make({ campaign_name: 'Spring' });
    await owner.make({ campaign_name: 'Autumn' });
    const { id } = await seedWebhook(owner, { campaign_name: 'Spring' });
    const { body } = await owner.ask('PATCH', '/v1/campaigns/Spring', { name: 'Autumn' });
    expect(body).toMatchObject({ merged: true });
    expect((await owner.ask('GET', `/v1/webhooks/${id}`)).body).toMatchObject({ campaign_name: 'Spring' });
  });
});

import * as z from 'zod';
import { LINK_STATES } from '../links/managed.ts';
import { output } from './schema.ts';

/** An instant() as answers have it. */
export const instant = () => z.string().meta({ description: 'ISO 8601, UTC', format: 'date-time' });

/** The place from which a list goes on. */
export const cursor = () => z.string().nullable().meta({ description: 'Where the list goes on; null at its end' });

const counted = () => z.int().min(0);

export const counts = () => ({
  total: counted().meta({ description: 'All clicks' }),
  humans: counted().meta({ description: 'Clicks of people' }),
  bots: counted().meta({ description: 'Clicks of programs' }),
  previews: counted().meta({ description: 'Link previews of messengers and the like' }),
});

export const linkRecord = output('LinkRecord', () =>
  z.strictObject({
    id: z.string().meta({ description: 'The id of the link, the "model id" of info' }),
    short_url: z.string().meta({ description: 'What visitors follow', format: 'uri' }),
    url: z
      .string()
      .meta({ description: 'Where it leads, as the URL standard writes it, which is more than RFC 3986 allows' }),
    client_id: z.string(),
    sec_id: z.string().meta({ description: 'The secondary id; made by the service if none was sent' }),
    campaign_name: z.string().nullable(),
    custom_domain: z.string().nullable().meta({ description: "Null on the service's own host" }),
    metadata: z.string().nullable().meta({ description: 'The JSON text that was sent, byte for byte' }),
    created_at: instant(),
  }),
);

const linkClicks = output('LinkClicks', () =>
  z.strictObject({
    ...counts(),
    visitors_today: counted().meta({ description: 'Distinct people since midnight UTC' }),
    last_at: instant().nullable(),
    by_day: z
      .array(z.strictObject({ day: z.string().meta({ format: 'date' }), ...counts() }))
      .meta({ description: 'The last 30 UTC days, today included' }),
  }),
);

export const linkInfo = output('LinkInfo', () => z.strictObject({ ...linkRecord().shape, clicks: linkClicks() }));

const managed = () => ({
  ...linkRecord().shape,
  slug: z.string(),
  aliases: z.array(z.string()).meta({ description: 'Other slugs, on the same host, that lead to it too' }),
  expires_at: instant().nullable(),
  disabled: z.boolean(),
  state: z.enum(LINK_STATES).meta({ description: 'deleted, else disabled, else expired, else active' }),
  updated_at: instant(),
});

export const managedLink = output('ManagedLink', () => z.strictObject(managed()));

export const managedLinkWithClicks = output('ManagedLinkWithClicks', () =>
  z.strictObject({ ...managed(), clicks: linkClicks() }),
);

export const linkList = output('LinkList', () => z.strictObject({ links: z.array(managedLink()), cursor: cursor() }));

import * as z from 'zod';
import { LINK_STATES } from '../links/managed.ts';
import { output } from './schema.ts';

/** An instant in an answer. */
export const instant = (description: string) =>
  z.string().meta({ description: `${description} (ISO 8601, UTC)`, format: 'date-time' });

/** An integer. */
export const whole = (description: string) => z.int().meta({ description });

/** The id of the client that the object belongs to. */
export const ownClientId = () => z.string().meta({ description: 'The client that it belongs to' });

/** The cursor of the next page. */
export const cursor = () =>
  z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one' });

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
    short_url: z.string().meta({ description: 'The URL that visitors follow', format: 'uri' }),
    url: z
      .string()
      .meta({ description: 'The target, as the URL standard serialises it, which is more than RFC 3986 allows' }),
    client_id: ownClientId(),
    sec_id: z.string().meta({ description: 'The secondary id; made by the service if none was sent' }),
    campaign_name: z.string().nullable().meta({ description: 'The campaign of the link; null if it has none' }),
    custom_domain: z
      .string()
      .nullable()
      .meta({ description: "The custom domain of the link; null on the service's own host" }),
    metadata: z.string().nullable().meta({ description: 'The JSON text that was sent, byte for byte' }),
    created_at: instant('When the link was created'),
  }),
);

const dayCounts = output('DayCounts', () =>
  z.strictObject({ day: z.string().meta({ description: 'The UTC day', format: 'date' }), ...counts() }),
);

const linkClicks = output('LinkClicks', () =>
  z.strictObject({
    ...counts(),
    visitors_today: counted().meta({ description: 'Distinct people since midnight UTC' }),
    last_at: instant('The time of the last click; null before the first').nullable(),
    by_day: z.array(dayCounts()).meta({ description: 'The last 30 UTC days, today included' }),
  }),
);

/** The field with the clicks of a link. */
const clicks = () => linkClicks().meta({ description: 'The clicks of the link' });

export const linkInfo = output('LinkInfo', () => z.strictObject({ ...linkRecord().shape, clicks: clicks() }));

const managed = () => ({
  ...linkRecord().shape,
  slug: z.string().meta({ description: 'The slug in `short_url`' }),
  aliases: z.array(z.string()).meta({ description: 'Other slugs on the same host that lead to the link' }),
  expires_at: instant('When the link expires; null for never').nullable(),
  disabled: z.boolean().meta({ description: 'Whether the link is turned off' }),
  state: z.enum(LINK_STATES).meta({ description: 'deleted, else disabled, else expired, else active' }),
  updated_at: instant('When the link was last changed'),
});

export const managedLink = output('ManagedLink', () => z.strictObject(managed()));

export const managedLinkWithClicks = output('ManagedLinkWithClicks', () =>
  z.strictObject({ ...managed(), clicks: clicks() }),
);

export const linkList = output('LinkList', () =>
  z.strictObject({
    links: z.array(managedLink()).meta({ description: 'The links, the newest first' }),
    cursor: cursor(),
    scanned_to: instant(
      'The creation time of the last link that the page has examined; null at the end of the list',
    ).nullable(),
  }),
);

/** The published interface has this field in successful answers too. */
export const noError = () => z.string().optional().meta({ description: 'Absent on success' });

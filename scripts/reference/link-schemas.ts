import * as z from 'zod';
import type { LinkField } from '../../src/links/fields/field.ts';
import type { Stored } from '../../src/links/fields/kinds.ts';
import { linkFields, type FieldName } from '../../src/links/fields/table.ts';
import { FAILURE_REASONS } from '../../src/links/health/unhealthy.ts';
import { LINK_STATES } from '../../src/links/managed-link.ts';
import { MANAGED_ONLY } from '../../src/links/record.ts';
import { JSON_RESPONSES } from './route-schemas.ts';
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
  previews: counted().meta({ description: 'Requests for link previews, for example by messengers' }),
});

const textField = (name: FieldName) => z.string().meta({ description: linkFields[name].description });

/** The stored fields that are not part of the published record. */
const managedFields = () => Object.fromEntries(MANAGED_ONLY.map((name) => [name, managedField(name)]));

const jsonResponses: { readonly [Name in FieldName]?: () => z.ZodType } = JSON_RESPONSES;

function managedField(name: FieldName): z.ZodType {
  const { description, stored = 'text', isClearable }: LinkField = linkFields[name];
  const schemas = {
    text: () => z.string().meta({ description }),
    instant: () => instant(description),
    integer: () => whole(description),
    flag: () => z.boolean().meta({ description }),
    names: () => z.array(z.string()).meta({ description }),
    json: () => jsonResponses[name]?.().meta({ description }) ?? z.unknown(),
  } satisfies Record<Stored, () => z.ZodType>;
  const schema = schemas[stored]();
  return isClearable && stored !== 'names' ? schema.nullable().meta({ description }) : schema;
}

export const linkRecord = output('LinkRecord', () =>
  z.strictObject({
    id: z.string().meta({ description: 'The id of the link, the "model id" of info' }),
    short_url: z.string().meta({ description: 'The URL that visitors follow', format: 'uri' }),
    url: textField('url'),
    client_id: ownClientId(),
    sec_id: textField('sec_id'),
    campaign_name: textField('campaign_name').nullable(),
    custom_domain: textField('custom_domain').nullable(),
    metadata: textField('metadata').nullable(),
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

const unhealthy = output('Unhealthy', () =>
  z.strictObject({
    url: z.string().meta({ description: 'The destination' }),
    reason: z.enum(FAILURE_REASONS).meta({
      description: 'Why its last failed check has failed: the status of the response, or what there was instead of one',
    }),
    status: z.int().nullable().meta({ description: 'The status; null without a response' }),
    since: instant('When the first of its failed checks was'),
  }),
);

const managed = () => ({
  ...linkRecord().shape,
  slug: textField('slug'),
  aliases: z.array(z.string()).meta({ description: linkFields.aliases.description }),
  ...managedFields(),
  has_password: z.boolean().meta({ description: linkFields.password.description }),
  disabled: z.boolean().meta({ description: linkFields.disabled.description }),
  state: z.enum(LINK_STATES).meta({ description: 'deleted, else disabled, else expired, else active' }),
  waits_for: z.string().nullable().meta({
    description: 'The custom domain while it is pending, so that the link does not redirect yet; otherwise null',
  }),
  unhealthy: unhealthy()
    .nullable()
    .meta({
      description:
        'The destination that has failed two checks, at least a day apart; null if there is none, if they are not checked, or ' +
        'if the link is not active. It changes nothing for visitors',
    }),
  updated_at: instant('When the link was last changed'),
});

export const managedLink = output('ManagedLink', () => z.strictObject(managed()));

export const managedLinkWithClicks = output('ManagedLinkWithClicks', () =>
  z.strictObject({ ...managed(), clicks_left: clicksLeft(), clicks: clicks() }),
);

const clicksLeft = () =>
  counted().nullable().meta({
    description: 'How many more visits by people are redirected; null without a click limit, or if it does not respond',
  });

export const linkList = output('LinkList', () =>
  z.strictObject({
    links: z.array(managedLink()).meta({ description: 'The links, newest first' }),
    ...endOfPage(),
  }),
);

const clickedLink = output('ClickedLink', () =>
  z.strictObject({
    ...managed(),
    clicks_left: clicksLeft(),
    clicks: counted().nullable().meta({ description: 'All clicks; null if the click statistics do not respond' }),
    humans: counted().nullable().meta({
      description: 'How many of these were by people; null if the click statistics do not respond',
    }),
    last_click_at: instant(
      'The time of the last click; null before the first, or if the click statistics do not respond',
    ).nullable(),
  }),
);

const MAIN_FIELDS = [
  'id',
  'short_url',
  'url',
  'client_id',
  'title',
  'campaign_name',
  'tags',
  'state',
  'created_at',
  'clicks',
  'humans',
  'last_click_at',
] as const;

/** The main fields of it, as `find_links` of `POST /mcp` lists links. */
export function foundLink() {
  const shape: z.ZodRawShape = clickedLink().shape;
  return z.strictObject(Object.fromEntries(MAIN_FIELDS.map((name) => [name, shape[name] ?? z.never()])));
}

export const clickedLinkList = output('ClickedLinkList', () =>
  z.strictObject({
    links: z.array(clickedLink()).meta({ description: 'The links, in the order of `sort`' }),
    ...endOfPage(),
  }),
);

const endOfPage = () => ({
  cursor: cursor(),
  scanned_to: instant(
    'The creation time of the last link that the page has examined; null at the end of the list',
  ).nullable(),
});

/** The published interface has this field in successful answers too. */
export const noError = () => z.string().optional().meta({ description: 'Absent on success' });

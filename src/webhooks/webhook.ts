import * as z from 'zod';
import { EVENT_NAMES, type EventType } from '../events/types.ts';
import { lazy } from '../isolate/lazy.ts';
import { MAX_CAMPAIGN_CHARACTERS } from '../links/fields/campaign-name.ts';
import { lineUpTo, notEmpty } from '../links/fields/line.ts';
import { tagName } from '../links/fields/tags.ts';
import { fault } from '../input/validation.ts';

/** Why a webhook is disabled: its owner said so, it answered 410, or it has failed for days. */
export type DisabledBy = 'owner' | 'gone' | 'failures';

/** A URL of a client that is sent events. Its secret is not part of it. Instants are milliseconds since the epoch. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  /** With a tag or a campaign, only events about links that have it; other events are always sent. */
  readonly tag: { readonly id: string; readonly name: string } | null;
  readonly campaignName: string | null;
  readonly disabledAt: number | null;
  readonly disabledBy: DisabledBy | null;
  /** When the first delivery failed after the last that did not. */
  readonly failingSince: number | null;
  /** Why no event is sent to the port of its URL, as `portFaultOf` says it; null if events are. */
  readonly portFault: string | null;
  /** Until when the secret before the last roll signs too, or null. */
  readonly formerSecretEndsAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The most webhooks that a client can have. */
export const MAX_WEBHOOKS = 20;

/** The most bytes of a URL. */
const MAX_WEBHOOK_URL_BYTES = 2048;
const MAX_DESCRIPTION_CHARACTERS = 200;

const url = lazy(() =>
  z
    .string()
    .refine((text) => text.length <= MAX_WEBHOOK_URL_BYTES && Buffer.byteLength(text) <= MAX_WEBHOOK_URL_BYTES, {
      error: `must be at most ${MAX_WEBHOOK_URL_BYTES} bytes long`,
      ...fault('too_long'),
      abort: true,
    })
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an https URL, such as https://example.com/webhooks',
      abort: true,
    })
    .transform((text) => new URL(text))
    .refine(({ username, password }) => username === '' && password === '', {
      error: 'must not contain a user name or a password',
      abort: true,
    })
    .refine(({ hash }) => hash === '', { error: 'must not contain a fragment, which is never sent' })
    .meta({
      description: 'Where events are sent: an https URL of the public internet, without user name and fragment',
      example: 'https://hooks.example.com/terse',
      maxLength: MAX_WEBHOOK_URL_BYTES,
    }),
);

const description = () =>
  lineUpTo(MAX_DESCRIPTION_CHARACTERS).meta({ description: 'A note for people', example: 'Sales dashboard' });

const events = lazy(() =>
  z
    .array(z.enum(EVENT_NAMES, { error: `must be one of ${EVENT_NAMES.join(', ')}` }))
    .min(1, 'must contain at least one event')
    .max(EVENT_NAMES.length, 'must contain each event only once')
    .transform((names) => EVENT_NAMES.filter((name) => names.includes(name)))
    .meta({ description: 'The types of events that are sent' }),
);

const tag = () =>
  tagName().meta({
    description: 'The name or the id of a tag: of the events about links, only those about links that have it',
    example: 'Summer',
  });

const campaignName = () =>
  notEmpty(lineUpTo(MAX_CAMPAIGN_CHARACTERS)).meta({
    description: 'A campaign, case-insensitive: of the events about links, only those about links that have it',
    example: 'Spring 2026',
  });

/** The body of `POST /v1/webhooks`. */
export const newWebhookFields = lazy(() =>
  z.strictObject({
    url: url(),
    events: events(),
    description: description().optional(),
    tag: tag().nullish(),
    campaign_name: campaignName().nullish(),
  }),
);

/** The body of `PATCH /v1/webhooks/{id}`: an absent field stays unchanged; null clears. */
export const webhookChangeFields = lazy(() =>
  z.strictObject({
    url: url().optional(),
    events: events().optional(),
    description: description().optional(),
    tag: tag().nullish(),
    campaign_name: campaignName().nullish(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'Whether events are not sent; what happens meanwhile is not sent later either' }),
  }),
);

export type NewWebhook = z.output<ReturnType<typeof newWebhookFields>>;
export type WebhookChange = z.output<ReturnType<typeof webhookChangeFields>>;

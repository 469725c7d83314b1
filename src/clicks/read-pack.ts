import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { HOUR_MS, LAST_INSTANT } from '../time/day.ts';
import { MARK_LENGTH } from './lengths.ts';

/** Reads packs of clicks. Only a consumer does, so that a redirect loads no schema. */

const index = lazy(() => z.int().nonnegative());

/** `[id, clientId, campaignName]` */
const packedLink = lazy(() => z.tuple([z.string(), z.string(), z.string().nullable()]));

/** `[hour, country, referrer, agent, language]`: as in `Profile`, with the agent's index in `agents`. */
const packedProfile = lazy(() =>
  z.tuple([
    z
      .int()
      .nonnegative()
      .max(LAST_INSTANT / HOUR_MS),
    z.string().nullable(),
    z.string().nullable(),
    index().nullable(),
    z.string().nullable(),
  ]),
);

/** `[via, utmMedium, utmCampaign]` */
const packedSource = lazy(() => z.tuple([z.string().nullable(), z.string().nullable(), z.string().nullable()]));

/**
 * `[link, profile, clicks, ago, marks]`: indexes in `links` and `profiles`, the number of clicks, the milliseconds from
 * the last of them to the packing, and the joined marks of the visitors who may be distinguished.
 */
export type PackedGroup = readonly [link: number, profile: number, clicks: number, ago: number, marks: string];

const pack = lazy(() =>
  z
    .object({
      id: z.string(),
      /** When it was packed, in milliseconds since the epoch. */
      at: z.int().nonnegative().max(LAST_INSTANT),
      links: z.array(packedLink()),
      /**
       * The destinations to which the clicks of each link led; absent if all were led to `url`. Version 1.2 ignores it, so
       * that a pack which that version gets is still counted.
       */
      destinations: z.array(z.string().nullable()).optional(),
      agents: z.array(z.string()),
      profiles: z.array(packedProfile()),
      /**
       * The sources of each profile; null, or no value, if its visits name nothing. Absent in packs of version 1.3, which
       * ignores them.
       */
      sources: z.array(packedSource().nullable()).optional(),
      groups: z.array(z.custom<PackedGroup>(isGroup)),
    })
    .refine(({ agents, profiles }) => profiles.every(([, , , agent]) => (agent ?? -1) < agents.length))
    .refine(({ links, profiles, groups }) =>
      groups.every(([link, profile]) => link < links.length && profile < profiles.length),
    ),
);

export type Pack = z.infer<ReturnType<typeof pack>>;
export type PackedLink = Pack['links'][number];
export type PackedProfile = Pack['profiles'][number];
export type PackedSource = z.infer<ReturnType<typeof packedSource>>;

/** Reads a message of the queue; null if it is not a pack. */
export function readPack(body: unknown): Pack | null {
  const parsed = pack().safeParse(body);
  return parsed.success ? parsed.data : null;
}

// Without zod, since there is nearly one group a click.
function isGroup(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [link, profile, clicks, ago, marks]: unknown[] = value;
  return (
    isCount(link) &&
    isCount(profile) &&
    isCount(clicks) &&
    clicks > 0 &&
    Number.isSafeInteger(ago) &&
    typeof marks === 'string' &&
    marks.length % MARK_LENGTH === 0
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { getLiveLink } from '../../../links/edit/get-link.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import type { PlatformEnv } from '../../env.ts';
import { displayUrl } from '../display-url.ts';
import { editValuesOf } from './fields.ts';

/** The fields that a copy of a link cannot have, since no other link can, or since they belong to the link itself. */
const NOT_COPIED = ['slug', 'revision', 'sec_id', 'external_id'];

interface Copy {
  /** The values of the form. */
  readonly values: Readonly<Record<string, string>>;
  /** The sentence about what was copied. */
  readonly sentence: Child;
}

/** The form of a new link with what another link has. Throws `link_not_found`, and what `getLiveLink` throws. */
export async function copyOf({ var: { db, actor, session, site } }: Context<PlatformEnv>, id: string): Promise<Copy> {
  const link = await getLiveLink(db, actor, id);
  const isOver = link.expiresAt !== null && link.expiresAt <= Date.now();
  const leftOut = new Set([...NOT_COPIED, ...(isOver ? ['expires_at'] : [])]);
  const values = Object.entries(editValuesOf(link, session.timeZone)).filter(([name]) => !leftOut.has(name));
  const names = [
    'its slug',
    ...(link.hasPassword ? ['its password'] : []),
    ...(link.externalId === null ? [] : ['its external ID']),
    ...(isOver ? ['its expiry, which is over'] : []),
    'its clicks',
  ];
  return {
    values: { ...Object.fromEntries(values), custom_domain: link.customDomain ?? '' },
    sentence: (
      <>
        A copy of <bdi>{displayUrl(shortUrlOf(link, site))}</bdi>, without {listOf(names)}.
      </>
    ),
  };
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

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
export async function copyOf(
  { var: { db, actor, session, site, words } }: Context<PlatformEnv>,
  id: string,
): Promise<Copy> {
  const link = await getLiveLink(db, actor, id);
  const isOver = link.expiresAt !== null && link.expiresAt <= Date.now();
  const leftOut = new Set([...NOT_COPIED, ...(isOver ? ['expires_at'] : [])]);
  const values = Object.entries(editValuesOf(words, link, session.timeZone)).filter(([name]) => !leftOut.has(name));
  const names = [
    words.text('linkForm.itsSlug'),
    ...(link.hasPassword ? [words.text('linkForm.itsPassword')] : []),
    ...(link.externalId === null ? [] : [words.text('linkForm.itsExternalId')]),
    ...(isOver ? [words.text('linkForm.itsExpiry')] : []),
    words.text('linkForm.itsClicks'),
  ];
  return {
    values: { ...Object.fromEntries(values), custom_domain: link.customDomain ?? '' },
    sentence: words.content('linkForm.copyOf', {
      link: displayUrl(shortUrlOf(link, site)),
      left: words.list(names),
    }),
  };
}

import type { Context } from 'hono';
import { AppError } from '../../../errors.ts';
import { dryRunCreate } from '../../../links/create/dry-run.ts';
import type { PlatformEnv } from '../../env.ts';
import { SlugOfDeletedLink, slugTaken } from '../../../links/edit/edit-refusals.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { keysOf, MAX_UNITS_OF_SLUG } from '../../../links/slugs/slug.ts';
import type { FormState, Submission } from '../../forms/form.ts';
import type { Sentence } from '../../words.tsx';
import { readNewLink } from './fields.ts';

/** A destination that no rule refuses, for a check of an address alone. */
export const ANY_URL = 'https://example.com/';

/**
 * Adds to a refused form what is wrong with its slug, which is not checked if another field is invalid. So the fault of
 * a slug stays until the slug is right, whatever else is typed.
 */
export async function withSlugFault<T>(
  { var: { shownAgain } }: Context<PlatformEnv>,
  sent: Submission<T>,
  faultOf: () => Promise<Sentence | null>,
): Promise<Submission<T>> {
  if (sent.ok || shownAgain || sent.status !== 400 || sent.form.faults['slug'] !== undefined) return sent;
  const fault = await faultOf();
  if (fault === null) return sent;
  return { ...sent, form: { ...sent.form, faults: { ...sent.form.faults, slug: fault } } };
}

/** Calls a verb, and says which deleted link has the slug if the verb is refused for that, by its id. */
export function notingDeleted<T>(verb: () => Promise<T>): {
  verb: () => Promise<T>;
  deletedOwner: () => string | null;
} {
  let owner: string | null = null;
  const noting = () =>
    verb().catch((error: unknown) => {
      if (error instanceof SlugOfDeletedLink) owner = error.linkId;
      throw error;
    });
  return { verb: noting, deletedOwner: () => owner };
}

/** The error of the slug of a new link; null if it has none. */
export const newSlugFaultOf = (c: Context<PlatformEnv>, { slug = '', custom_domain: host = '' }: FormState['values']) =>
  slugFaultOf(c, slug, host);

/** The error of the slug of an edit; null if it has none, or if the slug is the link's own. */
export async function editedSlugFaultOf(
  c: Context<PlatformEnv>,
  { slug, aliases, customDomain }: ManagedLink,
  { slug: typed = slug }: Readonly<Record<string, string>>,
): Promise<Sentence | null> {
  const isOwn = typed.length <= MAX_UNITS_OF_SLUG && [slug, ...aliases].some((own) => isSpelling(own, typed));
  return isOwn ? null : slugFaultOf(c, typed, customDomain ?? '');
}

// As the database compares the slugs of a host.
const isSpelling = (own: string, typed: string) => keysOf(own).folded === keysOf(typed.normalize()).folded;

// In a sentence.
async function slugFaultOf(c: Context<PlatformEnv>, slug: string, customDomain: string): Promise<Sentence | null> {
  if (slug === '') return null;
  const { db, actor, client, site, session, words } = c.var;
  const context = { words, clientId: client.id, site, timeZone: session.timeZone };
  try {
    await dryRunCreate(db, actor, readNewLink({ url: ANY_URL, slug, custom_domain: customDomain }, context));
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 429) throw error;
    if (error.code === 'slug_taken') return words.said(slugTaken(slug).message);
    const fault = error.faults.find(({ field }) => field === 'slug');
    return fault ? words.said(fault.sentence) : null;
  }
}

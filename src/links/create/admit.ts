import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import type { AppError } from '../../errors.ts';
import { allowAll, refusalsBy } from '../../targets/policy.ts';
import { hashLinkPassword, MAX_PASSWORDS, tooManyPasswords } from '../lock/protect.ts';
import type { LinkTools } from '../tools.ts';
import { isLink, type NewLink } from './new-link.ts';

/** What a create writes to, and asks before. */
export type CreateTools = Pick<LinkTools, 'db' | 'memory' | 'targetPolicy' | 'hashing'>;

/** A new link that the policy admits. */
export interface AdmittedLink extends NewLink {
  readonly passwordHash: string | null;
}

/**
 * Applies the policy to the destinations of new links, and hashes their passwords, of which only the first five are taken.
 * Both cost something, so the credential is authorised first. Returns an error in place of each link that is refused.
 * Throws `busy`, `invalid_credential`, `insufficient_scope`.
 *
 * @param isAuthorized whether the credential is authorised already
 */
export async function admitLinks(
  { db, targetPolicy, hashing }: CreateTools,
  credential: Credential,
  links: readonly (NewLink | AppError)[],
  isAuthorized = false,
): Promise<(AdmittedLink | AppError)[]> {
  const valid = links.filter(isLink);
  const hasPassword = valid.some(({ input }) => input.password != null);
  const costs = hasPassword || (targetPolicy !== allowAll && valid.length > 0);
  if (costs && !isAuthorized) await authorizeCreator(db, credential);
  const refusalOf = await refusalsBy(
    targetPolicy,
    valid.flatMap(({ destinations }) => destinations),
  );
  let passwords = 0;
  const protect = async (link: NewLink): Promise<AdmittedLink | AppError> => {
    const { password } = link.input;
    if (password == null) return { ...link, passwordHash: null };
    if (++passwords > MAX_PASSWORDS) return tooManyPasswords();
    return { ...link, passwordHash: await hashLinkPassword(hashing, password) };
  };
  const admitted: (AdmittedLink | AppError)[] = [];
  for (const link of links) {
    admitted.push(isLink(link) ? (refusalOf(link.destinations) ?? (await protect(link))) : link);
  }
  return admitted;
}

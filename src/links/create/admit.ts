import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import { AppError } from '../../errors.ts';
import { refusalsBy } from '../../targets/policy.ts';
import { hashLinkPassword, MAX_PASSWORDS, tooManyPasswords } from '../password/hash-password.ts';
import type { LinkTools } from '../tools.ts';
import type { NewLink } from './new-link.ts';

/** The stores to which a create writes, and the checks before it. */
export type CreateTools = Pick<LinkTools, 'db' | 'memory' | 'targetPolicy' | 'hashing'>;

/** A new link that the policy admits. */
export interface AdmittedLink extends NewLink {
  readonly passwordHash: string | null;
}

/**
 * Applies the policy to the destinations of new links, and hashes their passwords, but only the first five are taken.
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
  const destinations = links.flatMap((link) => (link instanceof AppError ? [] : link.destinations));
  const hasPassword = links.some((link) => !(link instanceof AppError) && link.input.password != null);
  const policy = destinations.length > 0 ? targetPolicy : null;
  if ((policy !== null || hasPassword) && !isAuthorized) await authorizeCreator(db, credential);
  const refusalOf = policy && (await refusalsBy(policy, destinations));
  let passwords = 0;
  const protect = async (link: NewLink): Promise<AdmittedLink | AppError> => {
    const { password } = link.input;
    if (password == null) return { ...link, passwordHash: null };
    if (++passwords > MAX_PASSWORDS) return tooManyPasswords();
    return { ...link, passwordHash: await hashLinkPassword(hashing, password) };
  };
  const admitted: (AdmittedLink | AppError)[] = [];
  for (const link of links) {
    admitted.push(link instanceof AppError ? link : (refusalOf?.(link.destinations) ?? (await protect(link))));
  }
  return admitted;
}

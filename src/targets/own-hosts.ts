import { AppError } from '../errors.ts';
import { isOwnTarget, type Site } from '../hosts.ts';

/** Refuses a target on a host of this service. Custom domains are checked by the database. Throws `own_host`. */
export function refuseOwnTarget(target: URL, site: Site): void {
  if (isOwnTarget(target, site)) throw ownHost();
}

export function ownHost(): AppError {
  return new AppError(
    'own_host',
    'url leads to a host of this service, which would create a redirect loop. Use another URL.',
  );
}

import { AppError } from '../errors.ts';
import { isOwnTarget, type Site } from '../network/hosts.ts';
import { faultAt, type Destination } from './destination.ts';

/** Refuses targets on a host of this service. Custom domains are checked by the database. Throws `own_host`. */
export function refuseOwnTargets(destinations: readonly Destination[], site: Site): void {
  const own = destinations.find(({ url }) => isOwnTarget(url, site));
  if (own) throw ownHost(own.field);
}

/** @param field the field that names the target */
export function ownHost(field = 'url'): AppError {
  const complaint = 'leads to a host of this service, which would create a redirect loop. Use another URL.';
  return new AppError('own_host', `${field} ${complaint}`, { faults: [faultAt(field, complaint)] });
}

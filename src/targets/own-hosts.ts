import { AppError } from '../errors.ts';
import { faultAt } from './destination.ts';

/**
 * The error for a target on a host of this service.
 *
 * @param field the field that names the target
 */
export function ownHost(field = 'url'): AppError {
  const complaint = 'leads to a host of this service, which would create a redirect loop. Use another URL.';
  return new AppError('own_host', `${field} ${complaint}`, { faults: [faultAt(field, complaint)] });
}

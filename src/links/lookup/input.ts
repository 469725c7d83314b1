import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields, type Fields } from '../../input/validation.ts';
import type { Site } from '../../network/hosts.ts';
import { refuseOwnDestinations, refuseTypingErrors } from '../destinations/destinations.ts';
import { targetUrl } from '../fields/url.ts';

/** The body of `POST /v1/links/lookup`. */
export const lookupFields = lazy(() => z.strictObject({ url: targetUrl() }));

/** Reads a destination to look up, by the rules for that of a new link. Throws the first fault, as `parseNewLink` does. */
export function parseLookup(fields: Fields, site: Site): URL {
  const { url } = parseFields(lookupFields(), fields);
  const destinations = [{ field: 'url', url }];
  refuseTypingErrors(destinations);
  refuseOwnDestinations(destinations, site);
  return url;
}

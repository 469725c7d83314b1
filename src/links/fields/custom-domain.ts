import * as z from 'zod';
import { parseDomainName } from '../../network/hosts.ts';
import { field } from './field.ts';

/** The host of the short link; stored as `domain_id`. */
export const customDomainField = field({
  label: 'Domain',
  isClearable: false,
  description: "The custom domain of the link; null on the service's own host",
  isPublished: true,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => {
    const host = z
      .string()
      .transform(parseDomainName)
      .refine((host) => host !== null, { error: 'must be a host name, such as go.example.com' })
      .meta({ description: 'Custom domain for the short link', example: 'go.example.com' });
    return { create: host, row: host };
  },
});

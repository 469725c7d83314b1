import * as z from 'zod';
import { lookupFields } from '../../src/links/lookup/input.ts';
import type { Endpoint } from './endpoint.ts';
import { whole } from './link-schemas.ts';
import { input, output } from './schema.ts';

const text = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}; null if the page has none, or if the response is not an HTML page` });

const foundPage = output('FoundPage', () =>
  z.strictObject({
    status: whole('The status of the response, after at most five redirects'),
    title: text('The title, at most 200 characters'),
    description: text('The description, at most 500 characters'),
    image: text('The http or https URL of the image, which is not requested'),
  }),
);

export const lookupEndpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/v1/links/lookup',
    operationId: 'lookUpDestination',
    tag: 'Links',
    summary: 'Get the title and the preview of a destination',
    description:
      'Requests a destination and reads the head of its page, so that a new link can get its title and preview. Open Graph ' +
      'comes before `<title>`; the texts fit the fields of a link. Nothing is stored. The requests have three seconds ' +
      'together, come from `TerseBot` without a cookie or a referrer, heed `robots.txt` and `Retry-After`, and go only to ' +
      'hosts of the public internet. At most 256 KiB of a page are read. Only an HTML page with a status from 200 to 299 ' +
      'has texts. Needs the permission `links:write`; 10 look-ups a minute for a credential.',
    takes: ['apiKey', 'bearer'],
    isRead: true,
    body: {
      types: ['application/json'],
      schema: input('Lookup', lookupFields),
      example: { url: 'https://shop.example.com/spring' },
    },
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'What the page says of itself',
        schema: foundPage,
        example: {
          status: 200,
          title: 'Spring sale',
          description: 'All of it must go.',
          image: 'https://shop.example.com/a.png',
        },
      },
    },
    codes: [
      'too_long',
      'own_host',
      'blocked_host',
      'destination_unreachable',
      'destination_too_slow',
      'destination_closed',
      'insufficient_scope',
      'too_many_requests',
      'resolver_unavailable',
      'store_unavailable',
    ],
  },
];

import * as z from 'zod';
import { MOST_COUNTED } from '../links/list/campaigns.ts';
import { LIST_QUERY, PAGE, SOLE_CLIENT } from './acting.ts';
import { CAMPAIGN, CLICKS, COUNTS, MANAGED_LINK } from './examples.ts';
import { managing } from './links.ts';
import { cursor, instant } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { output } from './schema.ts';

const campaign = output('Campaign', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name' }),
    links: z
      .int()
      .meta({ description: `How many links have it, without deleted ones; ${MOST_COUNTED} for that many or more` }),
    newest_link_at: instant('The creation of the newest of these links'),
    clicks: z.int().nullable().meta({
      description:
        'All clicks that came while their link had the campaign; null if the click statistics do not respond',
    }),
    last_click_at: instant(
      'The time of the last of these clicks; null before the first, or if the click statistics do not respond',
    ).nullable(),
  }),
);

export const campaignEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'get',
    path: '/v1/campaigns',
    operationId: 'listCampaigns',
    summary: 'List the campaigns of links, by name',
    description: 'A campaign is listed while a link that is not deleted has it.',
    query: LIST_QUERY,
    answers: {
      200: {
        description: 'A page of campaigns',
        schema: output('CampaignList', () =>
          z.strictObject({
            campaigns: z.array(campaign()).meta({ description: 'The campaigns, by name' }),
            cursor: cursor(),
          }),
        ),
        example: {
          campaigns: [
            {
              name: CAMPAIGN,
              links: 1,
              newest_link_at: MANAGED_LINK.created_at,
              clicks: COUNTS.total,
              last_click_at: CLICKS.last_at,
            },
          ],
          cursor: null,
        },
      },
    },
    codes: [...SOLE_CLIENT, ...PAGE, 'store_unavailable'],
  },
];

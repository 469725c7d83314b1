import * as z from 'zod';
import { MAX_LINKS_COUNTED } from '../../src/links/list/most-counted.ts';
import { campaignChangeFields, MAX_RENAMED } from '../../src/links/edit/rename-campaign.ts';
import { ACTOR_QUERY, SOLE_CLIENT } from './acting.ts';
import { CAMPAIGN, CLICKS, COUNTS, MANAGED_LINK } from './examples.ts';
import { managing } from './links.ts';
import { instant } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const campaign = output('Campaign', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name' }),
    links: z.int().meta({
      description: `How many links have it, without deleted ones; ${MAX_LINKS_COUNTED} for that many or more`,
    }),
    newest_link_at: instant('The creation of the newest of these links'),
    clicks: z.int().nullable().meta({
      description:
        'All clicks that came while their link had the campaign; null if the click statistics do not respond',
    }),
    humans: z.int().nullable().meta({
      description: 'How many of these were by people; null if the click statistics do not respond',
    }),
    last_click_at: instant(
      'The time of the last of these clicks; null before the first, or if the click statistics do not respond',
    ).nullable(),
  }),
);

export const campaignList = listOf('CampaignList', 'campaigns', campaign, 'by name');

export const campaignEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...managing,
    tag: 'Campaigns',
    path: '/v1/campaigns',
    operationId: 'listCampaigns',
    summary: 'List the campaigns of links, by name',
    description: 'A campaign is listed while a link that is not deleted has it.',
    list: campaignList,
    examples: [
      {
        name: CAMPAIGN,
        links: 1,
        newest_link_at: MANAGED_LINK.created_at,
        clicks: COUNTS.total,
        humans: COUNTS.humans,
        last_click_at: CLICKS.last_at,
      },
    ],
    who: SOLE_CLIENT,
  }),
  {
    ...managing,
    tag: 'Campaigns',
    method: 'patch',
    path: '/v1/campaigns/{name}',
    operationId: 'renameCampaign',
    summary: 'Rename a campaign',
    description: `For all links that have it, at most ${MAX_RENAMED}; each gets an entry in its history. Its past clicks move to the new name. If links or clicks have the new name already, the campaigns are merged: then clicks that came before stay under the former name. If a store does not respond on the way, the same request again does the rest. A campaign named \`.\` or \`..\` cannot be renamed here.`,
    pathParameters: { name: { description: 'The name of the campaign', example: CAMPAIGN } },
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('CampaignChange', campaignChangeFields),
      example: { name: 'Spring 2027' },
    },
    answers: {
      200: {
        description: 'The campaign has the new name',
        schema: output('RenamedCampaign', () =>
          z.strictObject({
            name: z.string().meta({ description: 'The new name' }),
            changed_links: z.int().meta({ description: 'How many links were changed' }),
            merged: z.boolean().meta({
              description: 'Whether the new name was in use, so that clicks that came before stay under the former one',
            }),
          }),
        ),
        example: { name: 'Spring 2027', changed_links: 1, merged: false },
      },
    },
    codes: [...SOLE_CLIENT, 'too_long', 'too_many_links', 'not_found', 'store_unavailable'],
  },
];

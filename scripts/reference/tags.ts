import * as z from 'zod';
import { TAG_COLOURS } from '../../src/links/tags/names.ts';
import { newTagFields, tagChangeFields } from '../../src/links/tags/tags.ts';
import { ACTOR_QUERY, SOLE_CLIENT } from './acting.ts';
import { NOW, TAG, TAG_ID } from './examples.ts';
import { instant, whole } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Tags', takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

const tag = output('Tag', () =>
  z.strictObject({
    id: z.string().meta({ description: 'The id of the tag' }),
    name: z.string().meta({ description: 'The name, as it was first written' }),
    colour: z.string().meta({ description: `The colour: ${TAG_COLOURS.join(', ')}` }),
    links: whole('How many links have the tag, without deleted ones; 1000 stands for 1000 or more'),
    created_at: instant('When the tag was created'),
  }),
);

export const tagList = listOf('TagList', 'tags', tag, 'in the order of the alphabet');

const EXAMPLE = { id: TAG_ID, name: TAG, colour: 'orange', links: 1, created_at: NOW };
const pathParameters = { id: { description: 'The id of the tag', example: TAG_ID } };

export const tagEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...common,
    path: '/v1/tags',
    operationId: 'listTags',
    summary: 'List tags, in alphabetical order',
    description: 'With the number of the links that have each. A tag without links stays until it is deleted.',
    list: tagList,
    examples: [EXAMPLE],
    who: SOLE_CLIENT,
  }),
  {
    ...common,
    method: 'post',
    path: '/v1/tags',
    operationId: 'createTag',
    summary: 'Create a tag',
    description: 'A link that is given a new tag creates it too. A client can have 1,000 tags.',
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('NewTag', newTagFields),
      example: { name: 'Autumn', colour: 'red' },
    },
    answers: {
      201: {
        description: 'The tag',
        schema: tag,
        example: { ...EXAMPLE, name: 'Autumn', colour: 'red', links: 0 },
      },
    },
    codes: ['invalid_idempotency_key', ...SOLE_CLIENT, 'too_long', 'tag_taken', 'too_many_tags', 'store_unavailable'],
  },
  {
    ...common,
    method: 'patch',
    path: '/v1/tags/{id}',
    operationId: 'changeTag',
    summary: 'Rename a tag, or change its colour',
    description: 'All of its links have the new name at once. This does not change their ETags and histories.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('TagChange', tagChangeFields),
      example: { name: 'Summer 2027' },
    },
    answers: { 200: { description: 'The tag', schema: tag, example: { ...EXAMPLE, name: 'Summer 2027' } } },
    codes: [...SOLE_CLIENT, 'too_long', 'tag_taken', 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/tags/{id}',
    operationId: 'deleteTag',
    summary: 'Delete a tag',
    description:
      'It is removed from all links, which stay. This does not change their ETags and histories. A tag that a webhook is limited to is not deleted.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: { 204: { description: 'It is deleted' } },
    codes: [...SOLE_CLIENT, 'not_found', 'tag_in_use', 'store_unavailable'],
  },
];

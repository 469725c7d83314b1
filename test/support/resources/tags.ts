import { CLIENT_ID, NOW, TAG, TAG_ID } from '../../../scripts/reference/examples.ts';
import type { Caller } from '../forms.ts';
import { answer, ask } from '../management.ts';
import { ok, posted } from '../page.ts';
import type { TestedResource } from '../resources.ts';

const PATH = '/v1/tags';
const PAGES = '/platform/c/:client/tags';

const newTag = () => ({ name: crypto.randomUUID() });

async function seed(owner: Caller): Promise<string> {
  const { id } = await answer<{ id: string }>(await ask(owner, 'POST', PATH, newTag()), 201);
  return id;
}

const pathOfNew = async (owner: Caller) => ({ path: `${PATH}/${await seed(owner)}` });

export const resource: TestedResource = {
  name: 'tags',
  id: TAG_ID,
  rows: {
    tags: [
      { id: TAG_ID, client_id: CLIENT_ID, name: TAG, folded: 'summer', colour: 'orange', created_at: Date.parse(NOW) },
    ],
  },
  seed,
  endpoints: [
    { name: 'GET /v1/tags', needs: 'links:read', status: 200, ofOne: false, prepare: async () => ({ path: PATH }) },
    {
      name: 'POST /v1/tags',
      needs: 'links:write',
      status: 201,
      ofOne: false,
      prepare: async () => ({ path: PATH, body: newTag() }),
    },
    {
      name: 'PATCH /v1/tags/{id}',
      needs: 'links:write',
      status: 200,
      ofOne: true,
      prepare: async (owner) => ({ ...(await pathOfNew(owner)), body: newTag() }),
    },
    { name: 'DELETE /v1/tags/{id}', needs: 'links:write', status: 204, ofOne: true, prepare: pathOfNew },
  ],
  pages: {
    [`GET ${PAGES}`]: ok,
    [`GET ${PAGES}/new`]: ok,
    [`POST ${PAGES}/new`]: posted({ name: 'new tag', colour: 'red' }),
    [`GET ${PAGES}/:id`]: ok,
    [`POST ${PAGES}/:id`]: posted({ name: 'renamed', colour: 'blue' }),
    [`GET ${PAGES}/:id/delete`]: ok,
    [`POST ${PAGES}/:id/delete`]: posted(),
  },
  repeated: {
    'POST /v1/tags': 409,
    'DELETE /v1/tags/{id}': 404,
    [`POST ${PAGES}/new`]: 409,
    [`POST ${PAGES}/:id/delete`]: 404,
  },
};

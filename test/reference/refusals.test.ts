import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { CLIENT_ID, NOW, ORIGIN } from '../../scripts/reference/examples.ts';
import { expectAsDocumented, OPERATIONS, type Documented } from '../support/documented.ts';
import { seedExamples, seedStranger } from '../support/example-world.ts';
import { sendExample, type Change } from '../support/examples.ts';

beforeEach(() => vi.setSystemTime(NOW));
afterEach(() => vi.useRealTimers());

type Credentials = Readonly<Record<string, Record<string, string>>>;

interface Provocation {
  readonly what: string;
  readonly status: number;
  readonly meets: (documented: Documented) => boolean;
  readonly change: (credentials: Credentials, documented: Documented) => Change;
}

const takes = ({ operation }: Documented, place: string) =>
  (operation.parameters ?? []).some((parameter) => parameter.in === place);
const namesClient = ({ operation }: Documented) =>
  (operation.parameters ?? []).some((parameter) => parameter.in === 'query' && parameter.name === 'client_id');
const hasBody = ({ operation }: Documented) => operation.requestBody !== undefined;
const answers = ({ operation }: Documented, status: number) => operation.responses[status] !== undefined;
const isOneOf =
  (...ids: string[]) =>
  ({ operation }: Documented) =>
    ids.includes(operation.operationId);
const isOpen = ({ operation }: Documented) => operation.security.some((scheme) => Object.keys(scheme).length === 0);

/** The first credential that an operation takes. */
const own = (credentials: Credentials, documented: Documented) =>
  isOpen(documented) ? {} : credentials[Object.keys(documented.operation.security[0] ?? {})[0] ?? ''];

const PROVOCATIONS: readonly Provocation[] = [
  {
    what: 'no credential',
    status: 401,
    meets: (documented) => answers(documented, 401) && !isOpen(documented),
    change: () => ({}),
  },
  {
    what: 'a credential that is none',
    status: 401,
    meets: (documented) =>
      answers(documented, 401) && !isOneOf('refreshToken', 'acceptInvite', 'getHealth')(documented),
    change: () => ({ headers: { Authorization: 'Bearer x', 'X-API-Key': 'x' } }),
  },
  {
    what: 'a credential that is none',
    status: 401,
    meets: isOneOf('acceptInvite'),
    change: () => ({ headers: { Authorization: 'Bearer x' }, body: JSON.stringify({ token: 'x' }) }),
  },
  {
    what: 'a credential that is none',
    status: 401,
    meets: isOneOf('getHealth'),
    change: () => ({ headers: { Authorization: 'Bearer x' }, query: { deep: '1' } }),
  },
  {
    what: 'a refresh token that is none',
    status: 401,
    meets: isOneOf('refreshToken'),
    change: () => ({ fields: { refresh_token: 'x' } }),
  },
  {
    what: 'a parameter that there is not',
    status: 400,
    meets: (documented) => takes(documented, 'query') && answers(documented, 400) && !isOneOf('proveHost')(documented),
    change: (credentials, documented) => ({ headers: own(credentials, documented), query: { nonsense: 'x' } }),
  },
  {
    what: 'a body that says nothing',
    status: 400,
    meets: hasBody,
    change: (credentials, documented) => {
      const type = Object.keys(documented.operation.requestBody?.content ?? {})[0] ?? '';
      const headers = { ...own(credentials, documented), 'Content-Type': `${type}; boundary=x` };
      return { headers, body: '--' };
    },
  },
  {
    what: 'a body of another type',
    status: 415,
    meets: hasBody,
    change: (credentials, documented) => ({
      headers: { ...own(credentials, documented), 'Content-Type': 'text/plain' },
      body: 'x',
    }),
  },
  {
    what: 'a body that is too large',
    status: 413,
    meets: hasBody,
    change: (credentials, documented) => ({
      headers: own(credentials, documented),
      body: 'x'.repeat(isOneOf('importLinks')(documented) ? 11_000_000 : 1_100_000),
    }),
  },
  {
    what: 'ids of nothing',
    status: 404,
    meets: (documented) => takes(documented, 'path') && answers(documented, 404),
    change: (credentials, documented) => ({ headers: own(credentials, documented), pathParameter: 'nothing' }),
  },
  {
    what: 'ids of nothing',
    status: 400,
    meets: isOneOf('getLinkInfo'),
    change: (credentials, documented) => ({ headers: own(credentials, documented), pathParameter: 'nothing' }),
  },
  {
    what: "a stranger's credential",
    status: 403,
    meets: (documented) =>
      answers(documented, 403) && namesClient(documented) && !isOneOf('getLinkStats', 'getLinkStatsCsv')(documented),
    change: ({ strangersToken }) => ({ headers: strangersToken, query: { client_id: CLIENT_ID } }),
  },
  {
    what: "a stranger's credential",
    status: 403,
    meets: isOneOf('createLink', 'encodeUrl'),
    change: ({ strangersToken, strangersKey }, { operation }) => ({
      headers: operation.operationId === 'createLink' ? strangersKey : strangersToken,
    }),
  },
  {
    what: 'a host that is none',
    status: 400,
    meets: isOneOf('getPublicKeys', 'proveHost', 'getOpenApi', 'getChangelog', 'getChangelogFeed'),
    change: () => ({ origin: ORIGIN.replace('//', '//user@') }),
  },
  {
    what: 'a host without the file',
    status: 404,
    meets: isOneOf('getAppleAppSiteAssociation', 'getAssetLinks'),
    change: () => ({ origin: ORIGIN }),
  },
  {
    what: 'the credential of a program',
    status: 403,
    meets: isOneOf('acceptInvite'),
    change: ({ apiKey }) => ({ headers: apiKey, body: JSON.stringify({ token: 'x' }) }),
  },
];

async function seedAll(): Promise<Credentials> {
  const credentials = await seedExamples();
  const { bearer, apiKey } = await seedStranger();
  return { ...credentials, strangersToken: bearer, strangersKey: apiKey };
}

describe.each(PROVOCATIONS)('$what', ({ status, meets, change }) => {
  // A request that is refused changes nothing.
  let credentials: Credentials;
  beforeAll(async () => {
    vi.setSystemTime(NOW);
    credentials = await seedAll();
  });

  it.each(OPERATIONS.filter(meets).map((documented) => [documented.name, documented] as const))(
    `a request is refused by %s with ${status}, as the document has it`,
    async (_name, documented) => {
      const response = await sendExample(documented, change(credentials, documented));
      await expectAsDocumented(documented, response);
      expect(response.status).toBe(status);
    },
  );
});

describe('the API document', () => {
  it('every operation of the API document that can be refused is refused with something', () => {
    const refusable = OPERATIONS.filter(({ operation }) =>
      Object.keys(operation.responses).some((status) => status.startsWith('4')),
    );
    const unmet = refusable.filter((documented) => !PROVOCATIONS.some(({ meets }) => meets(documented)));
    expect(unmet.map(({ name }) => name)).toEqual(['GET /robots.txt']);
  });

  it('the API document names with each operation only codes of its list, beside their status', () => {
    const odd = OPERATIONS.flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, answer]) =>
        (answer['x-error-codes'] ?? [])
          .filter((code) => Reflect.get(STATUS_BY_CODE, code) !== Number(status))
          .map((code) => [name, status, code]),
      ),
    );
    expect(odd).toEqual([['GET /info/{id}/{client_id}/{sec_id}', '400', 'not_found']]);
  });

  it('the API document names every code somewhere, except those of rows of a file, of pages and of paths', () => {
    const named = new Set(
      OPERATIONS.flatMap(({ operation }) =>
        Object.values(operation.responses).flatMap((answer) => answer['x-error-codes'] ?? []),
      ),
    );
    expect(Object.keys(STATUS_BY_CODE).filter((code) => !named.has(code))).toEqual([
      'invalid_imported_clicks',
      'invalid_passkey',
      'malformed_row',
      'wrong_origin',
      'method_not_allowed',
      'passkey_taken',
      'too_many_passkeys',
    ]);
  });
});

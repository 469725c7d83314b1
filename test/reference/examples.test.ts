import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerFaults, expectAsDocumented, faultsOf, OPERATIONS } from '../support/documented.ts';
import { seedExamples } from '../support/example-world.ts';
import { atExampleTime, EXAMPLES, sendExample } from '../support/examples.ts';
import { shareOf } from '../support/share.ts';

// Each example is sent into a world of its own, at the time that all of them have.
beforeEach(atExampleTime);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Fields that differ in each response, besides the id of a new thing: secrets, and what contains them or an id. */
const DRAWN: Readonly<Record<string, readonly string[]>> = {
  createToken: ['access_token', 'api_token', 'refresh_token'],
  refreshToken: ['access_token', 'api_token', 'refresh_token'],
  getPublicKeys: ['keys'],
  createLink: ['id', 'short_url'],
  encodeUrl: ['id', 'short_url'],
  createLinks: ['id', 'slug', 'short_url'],
  importLinks: ['id'],
  createKey: ['id', 'key'],
  rollKey: ['key'],
  createInvite: ['id', 'url'],
  acceptInvite: ['local_id'],
  createWebhook: ['id', 'secret'],
  rollWebhook: ['secret'],
  testWebhook: ['event_id'],
  addDomain: ['id', 'value', 'next'],
  // Fields that describe the credential, which differs in each test.
  getMe: ['kind', 'user', 'key', 'scopes'],
  proveHost: ['proof'],
};

describe('the example of the API document', () => {
  it.each(shareOf(EXAMPLES))(
    'the example %s of the API document gets the response that it says',
    async (_name, type, documented) => {
      const { operationId, security, responses } = documented.operation;
      const isOpen = security.some((scheme) => Object.keys(scheme).length === 0);
      const schemes = isOpen ? ['none'] : security.flatMap((scheme) => Object.keys(scheme));
      for (const scheme of schemes) {
        const credentials = await seedExamples();
        const response = await sendExample(documented, { type, headers: credentials[scheme] });
        await expectAsDocumented(documented, response);
        const [status, answer] = Object.entries(responses)[0] ?? [];
        expect(String(response.status)).toBe(status);
        const content = Object.values(answer?.content ?? {})[0];
        if (content?.example === undefined) continue;
        // Rows of JSON are counted without a header, and so are one less than in the example of the answer.
        const isJsonFile = operationId === 'importLinks' && type === 'application/json';
        const usual = status === '201' ? ['id'] : [];
        const drawn = [...(DRAWN[operationId] ?? usual), ...(isJsonFile ? ['row'] : [])];
        expect(legible(await response.text(), drawn)).toEqual(legible(content.example, drawn));
      }
    },
  );

  it.each(OPERATIONS.map((documented) => [documented.name, documented] as const))(
    'the example of each response to %s is valid by its own schema',
    (_name, { operation }) => {
      for (const { content = {} } of Object.values(operation.responses)) {
        for (const { schema, example } of Object.values(content)) {
          if (example !== undefined) expect(answerFaults(schema, example)).toEqual([]);
        }
      }
      for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
        expect(faultsOf(schema, example)).toEqual([]);
      }
      for (const { schema, example } of operation.parameters ?? []) {
        if (example !== undefined) expect(faultsOf(schema, example)).toEqual([]);
      }
    },
  );
});

/** A value without what is drawn, JSON text within it read; anything that is no JSON is as it is. */
function legible(value: unknown, drawn: readonly string[]): unknown {
  const read = typeof value === 'string' ? parse(value) : value;
  if (Array.isArray(read)) return read.map((item) => legible(item, drawn));
  if (typeof read !== 'object' || read === null) return read;
  const entries = Object.entries(read).map(([name, inner]) => [
    name,
    drawn.includes(name) ? '…' : legible(inner, drawn),
  ]);
  return Object.fromEntries(entries);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

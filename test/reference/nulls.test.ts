import type { Schema } from '@cfworker/json-schema';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { JSON_TYPE } from '../../src/http/json.ts';
import * as example from '../../scripts/reference/examples.ts';
import { DOCUMENT, faultsOf, OPERATIONS, type Documented } from '../support/documented.ts';
import { seedExamples } from '../support/example-world.ts';
import { atExampleTime, sendExample } from '../support/examples.ts';
import { shareOf } from '../support/share.ts';

// Null in place of each field of a JSON body: the document must say whether the service takes it.
beforeEach(atExampleTime);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const named = ({ $ref, ...schema }: Schema): Schema =>
  $ref === undefined ? schema : DOCUMENT.components.schemas[$ref.split('/').at(-1) ?? '']!;

/** The fields of a body, of all its alternatives. */
function fieldsOf(given: Schema): string[] {
  const schema = named(given);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...new Set([...Object.keys(schema.properties ?? {}), ...alternatives.flatMap(fieldsOf)])];
}

type Case = readonly [operation: string, field: string, documented: Documented, fields: Record<string, unknown>];

const CASES = OPERATIONS.flatMap((documented): Case[] => {
  const body = documented.operation.requestBody?.content[JSON_TYPE];
  if (!body) return [];
  return fieldsOf(body.schema).map((field) => [documented.name, field, documented, { [field]: null }]);
});

async function send(documented: Documented, fields: Record<string, unknown>): Promise<Response> {
  const [scheme = ''] = Object.keys(documented.operation.security[0] ?? {});
  return sendExample(documented, { type: JSON_TYPE, headers: (await seedExamples())[scheme], fields });
}

it.each(shareOf(CASES))(
  '%s takes null for %s only if the document says so',
  async (_name, _field, documented, fields) => {
    const { schema, example: sent } = documented.operation.requestBody!.content[JSON_TYPE]!;
    const isDocumented = faultsOf(schema, { ...Object(sent), ...fields }).length === 0;
    const { status } = await send(documented, fields);
    expect({ isTaken: status !== 400, status }).toEqual({ isTaken: isDocumented, status });
  },
);

const BATCH = OPERATIONS.find(({ operation }) => operation.operationId === 'createLinks')!;
const NEW_LINK_FIELDS = fieldsOf(DOCUMENT.components.schemas['NewLinkJson']!);

it.each(shareOf(NEW_LINK_FIELDS))('a link of a batch takes null for %s only if the document says so', async (field) => {
  const link = { ...example.NEW_LINK, [field]: null };
  const isDocumented = faultsOf({ $ref: '#/components/schemas/NewLinkJson' }, link).length === 0;
  const answer = await (await send(BATCH, { links: [link] })).json<{ results: { status: number }[] }>();
  expect(answer.results.map(({ status }) => status)).toEqual([isDocumented ? 201 : 400]);
});

import { Validator, type Schema } from '@cfworker/json-schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOOL_INPUTS, type ToolName } from '../../src/http/tool-inputs.ts';
import { exactInput } from '../../scripts/reference/mcp-tools.ts';
import type { JsonSchema } from '../../scripts/reference/json-schema.ts';
import { seedCaller } from '../support/forms.ts';
import { ask, keyOf, REVISIONS } from '../support/mcp.ts';

/** The response to `tools/list`, in few bytes: a model reads it whole before its first call. */

interface Listed {
  readonly name: ToolName;
  readonly inputSchema: Schema & { readonly properties: Readonly<Record<string, Schema>> };
  readonly outputSchema?: Schema;
}

const MOST_BYTES = 17_500;
// Rounded up: a new field of a link or a new filter fits.
const MOST_BYTES_OF: Readonly<Record<ToolName, number>> = {
  create_link: 5600,
  update_link: 2500,
  find_links: 1850,
  get_link: 600,
  link_stats: 3100,
  compare_links: 1350,
  list_campaigns: 650,
  list_tags: 650,
  qr_code: 1400,
};

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

let key: Record<string, string>;
let tools: readonly Listed[];
beforeAll(async () => {
  key = keyOf(await seedCaller());
  ({ tools } = (await (await ask(key, 'tools/list')).json<{ result: { tools: readonly Listed[] } }>()).result);
});

const toolOf = (name: ToolName) => tools.find((tool) => tool.name === name)!;
const TOOLS = Object.keys(TOOL_INPUTS) as ToolName[];

describe('the response to tools/list', () => {
  it.each(REVISIONS)(`the response to tools/list has at most ${MOST_BYTES} bytes in revision %s`, async (revision) => {
    const response = await ask(key, 'tools/list', {}, revision);
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(MOST_BYTES);
  });

  it.each(Object.entries(MOST_BYTES_OF) as [ToolName, number][])(
    'the response to tools/list has %s in at most %d bytes',
    (name, most) => {
      expect(bytesOf(JSON.stringify(toolOf(name)))).toBeLessThanOrEqual(most);
    },
  );

  it('the response to tools/list has no $ref and no list of types, which some programs cannot read', () => {
    expect(JSON.stringify(tools)).not.toMatch(/"\$ref"|"\$defs"|"type":\[|"brief"/);
  });
});

/** The names of all fields within a schema, by their paths. */
function* pathsOf(schema: JsonSchema, at = ''): Generator<string> {
  const inner = (value: unknown) => (typeof value === 'object' && value !== null ? (value as JsonSchema) : {});
  for (const [name, field] of Object.entries(inner(schema['properties']))) {
    yield `${at}.${name}`;
    yield* pathsOf(inner(field), `${at}.${name}`);
  }
  yield* pathsOfItems(inner(schema['items']), at);
  for (const key of ['anyOf', 'oneOf'])
    for (const one of Object.values(inner(schema[key]))) yield* pathsOf(inner(one), at);
}

function* pathsOfItems(items: JsonSchema, at: string): Generator<string> {
  if (Object.keys(items).length > 0) yield* pathsOf(items, `${at}[]`);
}

const sortedPaths = (schema: JsonSchema) => [...new Set(pathsOf(schema))].toSorted();

describe.each(TOOLS)('%s', (name) => {
  it('a tool lists the arguments that it accepts, and those that it requires', () => {
    const exact = exactInput(TOOL_INPUTS[name]);
    const { properties, required = [] } = toolOf(name).inputSchema;
    expect(Object.keys(properties)).toEqual(Object.keys(exact.properties));
    expect(required).toEqual(exact.required);
  });

  it('a tool describes each argument, itself or in the tool that it names', () => {
    const { inputSchema } = toolOf(name);
    const others = TOOLS.filter((other) => other !== name && JSON.stringify(toolOf(name)).includes(other));
    const describes = (tool: ToolName, field: string) => Object(toolOf(tool).inputSchema.properties[field]).description;
    for (const field of Object.keys(inputSchema.properties)) {
      const said = [name, ...others].map((tool) => describes(tool, field)).filter((words) => words !== undefined);
      expect([field, said]).toEqual([field, expect.arrayContaining([expect.stringMatching(/\w{2}/)])]);
    }
  });
});

it('the tool create_link lists all fields within its arguments', () => {
  expect(sortedPaths(toolOf('create_link').inputSchema as JsonSchema)).toEqual(
    sortedPaths({ properties: exactInput(TOOL_INPUTS.create_link).properties }),
  );
});

/** Values that a schema accepts: its examples, its choices, and values at its bounds. */
function samplesOf(schema: JsonSchema): readonly unknown[] {
  const { examples, enum: choices, const: only, anyOf, oneOf, type, items, properties, required } = schema;
  const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  const lists = [examples, choices].flatMap((list) => (Array.isArray(list) ? list : []));
  if (alternatives) return [...lists, ...alternatives.flatMap(samplesOf)];
  if (only !== undefined) return [only];
  if (type === 'null') return [null];
  if (type === 'boolean') return [true, false];
  if (type === 'integer' && lists.length === 0) return [Number(schema['minimum'] ?? 1), Number(schema['maximum'] ?? 9)];
  if (type === 'array') {
    const values = samplesOf((items ?? {}) as JsonSchema);
    return [...lists, [], values.slice(0, 1), values];
  }
  if (type === 'object') {
    const fields = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
    const needed = fields.filter(([name]) => Array.isArray(required) && required.includes(name));
    const filled = (some: typeof fields) =>
      Object.fromEntries(some.map(([name, field]) => [name, samplesOf(field)[0]]));
    return [...lists, filled(needed), filled(fields)];
  }
  return type === 'string'
    ? [...lists, '', 'x'.repeat(9000), '2030-12-31', '\u{1F600}']
    : [...lists, 'text', 1, [], {}];
}

it.each(TOOLS)('no schema of the arguments of %s refuses what its exact schema accepts', (name) => {
  const exact = exactInput(TOOL_INPUTS[name]);
  const validator = new Validator(toolOf(name).inputSchema, '2020-12', false);
  const needed = Object.fromEntries(exact.required.map((field) => [field, samplesOf(exact.properties[field]!).at(-1)]));
  let checked = 0;
  for (const [field, schema] of Object.entries(exact.properties)) {
    const exactValidator = new Validator(schema, '2020-12', false);
    for (const value of samplesOf(schema)) {
      if (!exactValidator.validate(value).valid) continue;
      expect([field, value, validator.validate({ ...needed, [field]: value }).errors]).toEqual([field, value, []]);
      checked++;
    }
  }
  expect(checked).toBeGreaterThanOrEqual(Object.keys(exact.properties).length);
});

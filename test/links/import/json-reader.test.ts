import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { MAX_ROW_BYTES } from '../../../src/links/import/file-line.ts';
import { SAY_WHAT_IT_IS } from '../../../src/links/import/mapping.ts';
import { JsonReader } from '../../../src/links/import/json-reader.ts';

/** The items of a file that arrives in chunks of some bytes, or its error. */
function read(text: string, bytes = 7): (string | null)[] | string {
  const reader = new JsonReader();
  const all = Buffer.from(text);
  const items: { readonly number: number; readonly text: string | null }[] = [];
  try {
    for (let at = 0; at < all.length; at += bytes) items.push(...reader.read(all.subarray(at, at + bytes)));
    reader.end();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  expect(items.map(({ number }) => number)).toEqual(items.map((_, index) => index + 1));
  return items.map((item) => item.text);
}

const NOT_JSON = 'The file is not valid JSON. Send it as the other service has written it.';
const NO_LIST = `The JSON has no list of links. Send a list, or an object with a list as data. ${SAY_WHAT_IT_IS}`;

it('reads no further once what is around the list is too long', () => {
  const reader = new JsonReader();
  const chunk = Buffer.from('[],'.repeat(1000));
  let chunks = 0;
  expect(() => {
    for (const _ of reader.read(Buffer.from('{"a":['))) chunks += 0;
    for (; chunks < 1000; chunks++) for (const _ of reader.read(chunk)) chunks += 0;
  }).toThrow(NOT_JSON);
  expect(chunks).toBeLessThan(30);
});

describe('JSON with a list', () => {
  it.each<[string, (string | null)[] | string]>([
    ['[]', []],
    [' [ ] ', []],
    ['[1, "a,]}" , {"a":[{"b":"\\"}"}]}]', ['1', '"a,]}"', '{"a":[{"b":"\\"}"}]}']],
    ['{"total":2,"data":[{"a": 1},\n{"a":2}],"next":null}', ['{"a": 1}', '{"a":2}']],
    ['{"shortUrls":{"pagination":{"data":1},"data":[{}]}}', ['{}']],
    ['{"data":[1],"links":[2]}', ['1']],
    ['{"\\"data":[1],"other":{"data":[2]}}', NO_LIST],
    ['{"data":{}}', NO_LIST],
    ['"data"', NO_LIST],
    ['', NOT_JSON],
    ['[1,]', NOT_JSON],
    ['[,1]', NOT_JSON],
    ['[1', NOT_JSON],
    ['[1}', NOT_JSON],
    ['[1]]', NOT_JSON],
    ['[1] x', NOT_JSON],
    ['{"data":[1],}', NOT_JSON],
    ['["a]', NOT_JSON],
    [`[${'['.repeat(100)}`, 'The JSON has more than 64 levels. Send a plain list of links.'],
    [`[{"a":"${'x'.repeat(MAX_ROW_BYTES)}"},1]`, [null, '1']],
    [`{"a":"${'x'.repeat(70_000)}","data":[]}`, NOT_JSON],
    [
      '{"links":{"link_1":{"a":"}"},\n "link_2" : {"b":{"c":[1,2]}}},"stats":{"n":2}}',
      ['{"a":"}"}', '{"b":{"c":[1,2]}}'],
    ],
    ['{"stats":{"links":3},"links":{"link_7":{}}}', ['{}']],
    ['{"links":{"link_1":{},"link_2":5}}', ['{}', '5']],
    ['{"links":{"link_1":{},{}}}', NOT_JSON],
    ['{"links":{"link_1":{},}}', NOT_JSON],
    ['{"links":{"link_1":{}]}', NOT_JSON],
    ['{"links":{"link_1":{}}', NOT_JSON],
    ['{"links":{"total":1,"link_1":{}}}', NO_LIST],
    ['{"links":{"other":{"link_1":{}}}}', NO_LIST],
    ['{"link_1":{}}', NO_LIST],
    ['{"links":{}}', NO_LIST],
    [`{"links":{"link_1":{"a":"${'x'.repeat(MAX_ROW_BYTES)}"},"link_2":{}}}`, [null, '{}']],
    [`{"links":{"link_1":${'['.repeat(100)}`, 'The JSON has more than 64 levels. Send a plain list of links.'],
  ])('JSON with a list: %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(text, 100_000)).toEqual(expected);
  });

  it('JSON with a list has the items that a parser finds, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (list, bytes, isIn) => {
          const text = JSON.stringify(isIn ? { page: '[', data: list, more: [list.length] } : list, null, bytes % 3);
          const items = read(text, bytes);
          expect(Array.isArray(items) && items.map((item) => JSON.parse(item ?? ''))).toEqual(
            JSON.parse(JSON.stringify(list)),
          );
        },
      ),
    );
  });

  it('JSON with a list is accepted only if a parser accepts it too', () => {
    const piece = fc.constantFrom('[', ']', '{"data":', '}', ',', '1', '"a":', '"');
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const text = parts.join('');
        const items = read(text);
        // The items are parsed one by one by the caller.
        if (typeof items === 'string' || !items.every(isJson)) return;
        expect(isJson(text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}

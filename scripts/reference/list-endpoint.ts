import * as z from 'zod';
import type { ErrorCode } from '../../src/errors.ts';
import { LIST_QUERY, PAGE } from './acting.ts';
import { cursor } from './link-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { output, type Named } from './schema.ts';

/** The body of an endpoint that lists things page by page. */
interface List {
  /** The items that are listed, which is the name of the field too. */
  readonly items: string;
  readonly schema: Named<z.ZodObject>;
}

/**
 * The list of items with a schema of their own.
 *
 * @param id the name of the schema
 * @param order the order of the items, for a sentence
 */
export function listOf(id: string, items: string, item: Named, order: string): List {
  const list = () => z.array(item()).meta({ description: `The ${items}, ${order}` });
  return { items, schema: output(id, () => z.strictObject({ [items]: list(), cursor: cursor() })) };
}

interface ListEndpoint extends Omit<Endpoint, 'method' | 'answers' | 'codes'> {
  readonly list: List;
  readonly examples: readonly object[];
  /** The codes for callers who cannot read the list. */
  readonly who: readonly ErrorCode[];
  readonly codes?: readonly ErrorCode[];
}

/** An endpoint that lists things page by page. */
export function listEndpoint({ list, examples, who, codes = [], ...endpoint }: ListEndpoint): Endpoint {
  const { items, schema } = list;
  return {
    query: LIST_QUERY,
    ...endpoint,
    method: 'get',
    answers: { 200: { description: `A page of ${items}`, schema, example: { [items]: examples, cursor: null } } },
    codes: [...who, ...PAGE, ...codes, 'store_unavailable'],
  };
}

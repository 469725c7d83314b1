import * as z from 'zod';
import { statsFields } from '../clicks/query.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import { editFields, newLinkJsonFields } from '../links/input.ts';
import { fault, fieldError, parseFields, type Fields } from '../input/validation.ts';
import { quote } from '../text/quote.ts';
import { clientField } from './actor.ts';
import { linkListQuery } from './link-queries.ts';
import { listQuery } from './queries.ts';
import { qrQuery } from './qr-query.ts';

/** The arguments of the tools of `POST /mcp`, by which calls are checked and the list of tools is written. */

export interface ToolInput<Own extends z.ZodRawShape = z.ZodRawShape> {
  /** The schema of the endpoint that does the same, whose fields are taken; null if all arguments are the tool's own. */
  readonly schema: (() => z.ZodType) | null;
  /** The arguments that the endpoint does not have, or in another form. */
  readonly own: () => Own;
  /** Fields of the endpoint that the tool does not take. */
  readonly without: readonly string[];
  /** True if the endpoint takes them in a query, in which all values are texts. */
  readonly isQuery: boolean;
}

/** The number of links that `find_links` lists at a time, and of rows that `link_stats` has. */
const MAX_LISTED = 50;
const MAX_ROWS = 200;
const MAX_COMPARED = 20;

const linkId = (description: string) => z.string().meta({ description });
const limit = (most: number, usual: number) => {
  const error = `must be a whole number from 1 to ${most}`;
  return z
    .int({ error })
    .min(1, { error })
    .max(most, { error })
    .default(usual)
    .meta({ description: `The maximum number of results; ${usual} if left out`, brief: `1 to ${most}` });
};

// In a query it is always a text, so that it has no error code of its own.
const part = () =>
  z
    .unknown()
    .refine((it) => typeof it === 'string', { error: 'must be a string', ...fault('malformed_body') })
    .optional()
    .meta({ ...linkListQuery().shape.q.meta(), type: 'string' });

const none = () => ({});
const define = <Own extends z.ZodRawShape>(
  schema: ToolInput['schema'],
  own: () => Own,
  { without = [], isQuery = true }: Partial<Pick<ToolInput, 'without' | 'isQuery'>> = {},
): ToolInput<Own> => ({ schema, own: lazy(own), without, isQuery });

export const TOOL_INPUTS = {
  create_link: define(newLinkJsonFields, none, { isQuery: false }),
  update_link: define(editFields, () => ({ link: linkId('The id of the link'), ...clientField() }), {
    isQuery: false,
  }),
  find_links: define(linkListQuery, () => ({ limit: limit(MAX_LISTED, 20), q: part() })),
  get_link: define(null, () => ({ link: linkId('The id of the link'), ...clientField() })),
  link_stats: define(statsFields, () => ({
    link: linkId('The id of a link; all links of the workspace if left out').optional(),
    limit: limit(MAX_ROWS, 100),
  })),
  compare_links: define(
    statsFields,
    () => ({
      links: z
        .array(z.string())
        .min(2, 'must have at least 2 ids')
        .max(MAX_COMPARED, `must have at most ${MAX_COMPARED} ids`)
        .meta({ description: 'The ids of the links to compare' }),
    }),
    { without: ['link', 'tag', 'campaign_name', 'by', 'tz', 'limit', 'cursor'] },
  ),
  list_campaigns: define(listQuery, none),
  list_tags: define(listQuery, none),
  qr_code: define(qrQuery, () => ({
    link: linkId('The id of the link'),
    format: z
      .enum(['png', 'svg'], { error: 'must be png or svg' })
      .default('png')
      .meta({ description: 'A picture, or the text of an SVG file' }),
  })),
} as const satisfies Readonly<Record<string, ToolInput>>;

export type ToolName = keyof typeof TOOL_INPUTS;

const MAX_CHARACTERS = 8192;

/**
 * Splits the arguments of a tool in its own, which are parsed, and those for the schema of the endpoint. Throws the first
 * fault of its own ones.
 */
export function splitArguments<Own extends z.ZodRawShape>(
  { schema, own, without, isQuery }: ToolInput<Own>,
  given: Fields,
): { readonly own: z.output<z.ZodObject<Own>>; readonly rest: Fields } {
  // Models send null for what they leave out. In the fields of a link it clears one.
  const isOwn = (name: string) => Object.hasOwn(own(), name);
  const entries = Object.entries(given).filter(([name, value]) => value !== null || !(isQuery || isOwn(name)));
  const refused = entries.map(([name]) => name).find((name) => without.includes(name));
  if (refused !== undefined)
    throw fieldError('unknown_field', refused, `There is no field ${quote(refused)} here. Leave it out.`);
  const [mine, others] = [true, false].map((wanted) =>
    Object.fromEntries(entries.filter(([name]) => isOwn(name) === wanted)),
  ) as [Fields, Fields];
  // The same bound as that of a query.
  if (isQuery && charactersOf(given) > MAX_CHARACTERS)
    throw new AppError('too_long', `The arguments may have at most ${MAX_CHARACTERS} characters. Send fewer.`);
  // Without an endpoint that refuses them, further arguments are refused here.
  const parsed =
    schema === null
      ? parseFields(z.strictObject(own()), Object.fromEntries(entries))
      : parseFields(z.object(own()), mine);
  return { own: parsed, rest: isQuery ? asTexts(others) : others };
}

function charactersOf(given: Fields): number {
  const texts = Object.values(given).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 1), 0);
}

const asTexts = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );

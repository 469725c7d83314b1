import * as z from 'zod';
import { preview } from '../../src/links/fields/preview.ts';
import type { LinkFields } from '../../src/links/fields/table.ts';
import { conditionSchemas } from '../../src/links/routes/conditions/schemas.ts';
import { conditionTypes } from '../../src/links/routes/conditions/table.ts';
import { linkRule } from '../../src/links/routes/rules.ts';
import { linkVariant } from '../../src/links/routes/variants.ts';
import { input, output } from './schema.ts';

/** The schemas of the lists and objects of a link. */

/** Names the parts of them that a request has. */
export function nameParts(): void {
  for (const [type, schema] of Object.entries(conditionSchemas)) {
    input<z.ZodType>(`${capital(type)}Condition`, schema)();
  }
  input('NewRule', linkRule)();
  input('NewVariant', linkVariant)();
  input('NewPreview', preview)();
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

// One schema for all types, and not a closed list of them, since later versions may have more.
const condition = output('Condition', () =>
  z.strictObject({
    type: z.string().meta({ description: `The type of the condition: ${Object.keys(conditionTypes).join(', ')}` }),
    in: z.array(z.string()).optional().meta({ description: 'The values, one of which fits' }),
    name: z.string().optional().meta({ description: 'The name of the query parameter' }),
    from: z.string().optional().meta({ description: 'The first instant, or the time at which the hours begin' }),
    until: z.string().optional().meta({ description: 'The end, exclusive, or the time at which the hours end' }),
    days: z.array(z.string()).optional().meta({ description: 'The days on which the hours begin; absent for all' }),
    tz: z.string().optional().meta({ description: 'The time zone of the hours' }),
    not: z.literal(true).optional().meta({ description: 'true if the condition holds for all other visitors' }),
  }),
);

const rule = output('Rule', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name of the rule' }),
    if: z.array(condition()).meta({ description: 'The conditions, all of which must hold' }),
    url: z.string().meta({ description: 'Where it leads' }),
  }),
);

const variant = output('Variant', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name of the variant' }),
    url: z.string().meta({ description: 'Where it leads' }),
    weight: z.int().meta({ description: 'Its part of the sum of all weights is its part of the visitors' }),
  }),
);

const shownPreview = output('Preview', () =>
  z.strictObject({
    title: z.string().optional().meta({ description: 'The title' }),
    description: z.string().optional().meta({ description: 'The description' }),
    image: z.string().optional().meta({ description: 'The URL of an image' }),
  }),
);

type JsonName = {
  [Name in keyof LinkFields]: LinkFields[Name] extends { readonly stored: 'json' } ? Name : never;
}[keyof LinkFields];

/** The schemas of those fields in answers. */
export const JSON_RESPONSES: { readonly [Name in JsonName]: () => z.ZodType } = {
  rules: () => z.array(rule()),
  variants: () => z.array(variant()),
  preview: shownPreview,
};

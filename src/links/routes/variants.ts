import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { destinationUrl } from '../fields/url.ts';
import { listOf } from './list.ts';
import { refuseRepeatedNames, routeName, withNames } from './names.ts';
import type { Variant } from './stored-routes.ts';

const MIN_VARIANTS = 2;
const MAX_VARIANTS = 8;
const MAX_WEIGHT = 100;

/** The variants of a link: a list of variants, each of which gets a name. */
export const linkVariants = lazy(() =>
  listOf(linkVariant(), { least: MIN_VARIANTS, most: MAX_VARIANTS, things: 'variants', canBeEmpty: true })
    .transform((variants): Variant[] =>
      withNames(variants, (index) => `Variant ${String.fromCodePoint(FIRST_LETTER + index)}`),
    )
    .check(refuseRepeatedNames),
);

const FIRST_LETTER = 0x41;
const WEIGHT = `must be from 1 to ${MAX_WEIGHT}`;

/** A variant, without a check of its name. */
export const linkVariant = lazy(() =>
  z.strictObject({
    name: routeName().optional(),
    url: destinationUrl().transform(({ href }) => href),
    weight: z
      .int()
      .min(1, WEIGHT)
      .max(MAX_WEIGHT, WEIGHT)
      .meta({
        description: 'The share of visitors is this weight divided by the sum of all weights',
        brief: `1 to ${MAX_WEIGHT}`,
      }),
  }),
);

import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { SORTS } from '../links/list/clicked-link.ts';
import { listFields } from '../links/input.ts';
import { clientField } from './actor.ts';

/** The query of lists of links, by which requests are checked and the API document is written. */

export const linkListQuery = lazy(() =>
  z.strictObject({
    ...clientField(),
    ...listFields(),
    sort: z
      .enum(SORTS, { error: `must be one of ${SORTS.join(', ')}` })
      .default('created')
      .meta({
        description:
          'The newest links first, or those with most clicks, with most clicks by people, or with the last click',
      }),
  }),
);

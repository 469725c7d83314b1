import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { pageFields } from '../input/pagination.ts';
import { clientField } from './actor.ts';

/**
 * Whole queries of the management API, by which requests are checked and the API document is written. Those that need the
 * fields of one resource are in files beside this one, since requests to others load none of them.
 */

/** The query of a list that takes no filters. */
export const listQuery = lazy(() => z.strictObject({ ...clientField(), ...pageFields() }));

export const clickStreamQuery = lazy(() =>
  z.strictObject({
    ...clientField(),
    link_id: z.string().optional().meta({ description: 'Only clicks of the link with this id' }),
  }),
);

/** The query of an endpoint without parameters. */
export const noQuery = lazy(() => z.strictObject({}));

import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';

/** The query of `GET /health`. */

export const healthQuery = lazy(() =>
  z.strictObject({
    deep: z
      .enum(['0', '1'], { error: 'must be 0 or 1' })
      .transform((text) => text === '1')
      .default(false)
      .meta({ description: '1 checks the stores too' }),
  }),
);

import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { fileFields } from '../links/import/file-fields.ts';
import { clientField } from './actor.ts';

/** The queries of exports and imports. */

export const linkExportQuery = lazy(() =>
  z.strictObject({
    ...clientField(),
    format: z
      .enum(['csv', 'ndjson'], { error: 'must be csv or ndjson' })
      .default('csv')
      .meta({ description: 'The format of the file' }),
  }),
);

export const linkImportQuery = lazy(() =>
  z.strictObject({
    ...clientField(),
    dry_run: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .transform((text) => text === 'true')
      .default(false)
      .meta({ description: 'true reports the result of each row and changes nothing', type: 'boolean' }),
    ...fileFields(),
  }),
);

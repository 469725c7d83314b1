import * as z from 'zod';
import { rollFields } from '../accounts/keys/keys.ts';
import { removalFields as memberRemovalFields } from '../accounts/members/members.ts';
import { removalFields as domainRemovalFields } from '../domains/input.ts';
import { lazy } from '../isolate/lazy.ts';
import { SORTS } from '../links/list/clicked-link.ts';
import { fileFields } from '../links/import/file-fields.ts';
import { listFields } from '../links/input.ts';
import { qrFields } from '../links/qr/options.ts';
import { pageFields } from '../input/pagination.ts';
import { deliveryFilter } from '../webhooks/delivery/log.ts';
import { clientField } from './actor.ts';

/** The whole queries of the management API, by which requests are checked and the API document is written. */

/** The query of a list that takes no filters. */
export const listQuery = lazy(() => z.strictObject({ ...clientField(), ...pageFields() }));

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

export const clickStreamQuery = lazy(() =>
  z.strictObject({
    ...clientField(),
    link_id: z.string().optional().meta({ description: 'Only clicks of the link with this id' }),
  }),
);

export const qrQuery = lazy(() => z.strictObject({ ...clientField(), ...qrFields() }));

export const keyRollQuery = lazy(() => z.strictObject({ ...clientField(), ...rollFields() }));

export const memberRemovalQuery = lazy(() => z.strictObject({ ...clientField(), ...memberRemovalFields() }));

export const domainRemovalQuery = lazy(() => z.strictObject({ ...clientField(), ...domainRemovalFields() }));

export const healthQuery = lazy(() =>
  z.strictObject({
    deep: z
      .enum(['0', '1'], { error: 'must be 0 or 1' })
      .transform((text) => text === '1')
      .default(false)
      .meta({ description: '1 checks the stores too' }),
  }),
);

export const deliveryListQuery = lazy(() => z.strictObject({ ...clientField(), ...deliveryFilter(), ...pageFields() }));

/** The query of an endpoint without parameters. */
export const noQuery = lazy(() => z.strictObject({}));

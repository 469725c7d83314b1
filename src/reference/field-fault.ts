import * as z from 'zod';
import { output } from './schema.ts';

/** A field at fault. */
export const fieldFault = output('FieldFault', () =>
  z.strictObject({
    field: z.string().meta({ description: 'The name of the field' }),
    detail: z.string().meta({ description: 'What is wrong with it' }),
  }),
);

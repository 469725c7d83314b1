import * as z from 'zod';
import { output } from './schema.ts';

/** A field with a fault. */
export const fieldFault = output('FieldFault', () =>
  z.strictObject({
    field: z.string().meta({ description: 'The name of the field' }),
    detail: z.string().meta({ description: 'What is wrong with it' }),
  }),
);

/** The fields with faults of one of several links, if its error is about fields. */
export const faultsOfOne = () =>
  z.array(fieldFault()).optional().meta({
    description: 'The invalid fields, each with its sentence; absent if the error is not about a field',
  });

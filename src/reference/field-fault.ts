import * as z from 'zod';
import { output } from './schema.ts';

/** A field at fault. */
export const fieldFault = output('FieldFault', () =>
  z.strictObject({
    field: z.string().meta({ description: 'The name of the field' }),
    detail: z.string().meta({ description: 'What is wrong with it' }),
  }),
);

/** The fields at fault of one of several links, where its error is about fields. */
export const faultsOfOne = () =>
  z.array(fieldFault()).optional().meta({
    description: 'The invalid fields, each with its sentence; absent if the error is not about a field',
  });

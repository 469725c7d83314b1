import * as z from 'zod';
import { AppError } from '../../src/errors.ts';
import { PROBLEM_TYPE } from '../../src/http/accept.ts';
import { problemOf } from '../../src/http/failure.ts';
import { ORIGIN } from './examples.ts';
import { ALL_CODES } from '../../src/reference/code-meanings.ts';
import { fieldFault } from './field-fault.ts';
import { toJsonSchema, type JsonSchema } from './schema.ts';

const problem = () =>
  z.strictObject({
    type: z.string().meta({ description: 'The documentation of the code', format: 'uri' }),
    title: z.string().meta({ description: 'The code in words' }),
    status: z.int().meta({ description: 'The status of the response' }),
    detail: z.string().meta({ description: 'What is wrong, and how to fix it' }),
    code: z.enum(ALL_CODES).meta({ description: 'The same code as in the usual body' }),
    errors: z.array(fieldFault()).max(50).optional().meta({ description: 'The invalid fields' }),
  });

const EXAMPLE = new AppError('missing_field', 'url is required.', {
  faults: [
    { field: 'url', sentence: 'url is required.' },
    { field: 'sec_id', sentence: 'sec_id must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".' },
  ],
});

/**
 * The other form of every error. It is not listed with each answer, so that generated clients keep the one error type
 * that they have.
 */
export function problemDetails(): JsonSchema {
  return {
    mediaType: PROBLEM_TYPE,
    schema: toJsonSchema(problem()),
    example: problemOf(EXAMPLE, ORIGIN),
  };
}

import * as z from 'zod';
import { fault } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';

const isOnOrOff = (text: string) => text === 'on' || text === 'off';

/** The form that turns the checks of destinations on or off. */
export const checkFields = lazy(() =>
  z.strictObject({
    checks: z.string().refine(isOnOrOff, { error: 'must be on or off', ...fault('malformed_body') }),
  }),
);

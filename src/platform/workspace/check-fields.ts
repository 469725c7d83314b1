import * as z from 'zod';
import { fault } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';

const onOrOff = () =>
  z
    .string()
    .refine((text) => text === 'on' || text === 'off', { error: 'must be on or off', ...fault('malformed_body') });

/** The form that turns the checks of destinations on or off. */
export const checkFields = lazy(() => z.strictObject({ checks: onOrOff() }));

/** The form that demands a second factor of members, or no longer. */
export const factorFields = lazy(() => z.strictObject({ factors: onOrOff() }));

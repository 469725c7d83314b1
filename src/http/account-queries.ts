import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { rollFields } from '../accounts/keys/keys.ts';
import { removalFields } from '../accounts/members/members.ts';
import { clientField } from './actor.ts';

/** The queries of keys and members. */

export const keyRollQuery = lazy(() => z.strictObject({ ...clientField(), ...rollFields() }));

export const memberRemovalQuery = lazy(() => z.strictObject({ ...clientField(), ...removalFields() }));

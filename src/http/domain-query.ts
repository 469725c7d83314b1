import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { removalFields } from '../domains/input.ts';
import { clientField } from './actor.ts';

/** The query of a removal of a domain. */

export const domainRemovalQuery = lazy(() => z.strictObject({ ...clientField(), ...removalFields() }));

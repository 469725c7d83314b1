import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { qrFields } from '../links/qr/options.ts';
import { clientField } from './actor.ts';

/** The query of QR codes. */

export const qrQuery = lazy(() => z.strictObject({ ...clientField(), ...qrFields() }));

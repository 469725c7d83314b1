import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { pageFields } from '../input/pagination.ts';
import { deliveryFilter } from '../webhooks/delivery/log.ts';
import { clientField } from './actor.ts';

/** The query of deliveries of webhooks. */

export const deliveryListQuery = lazy(() => z.strictObject({ ...clientField(), ...deliveryFilter(), ...pageFields() }));

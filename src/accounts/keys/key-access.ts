import { SOLE_CLIENT } from '../access.ts';

/**
 * True if the actor may manage the key `k`, in a statement under `ACTING`: an owner manages all keys of the client, a
 * member their own.
 */
export const MAY_MANAGE_KEY = `k.client_id = ${SOLE_CLIENT}
  AND EXISTS (SELECT 1 FROM acting WHERE role = 'owner' OR user_id = k.user_id)`;

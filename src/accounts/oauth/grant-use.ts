import type { Carried } from '../../database/service-database.ts';
import type { RecentlySeen } from '../../isolate/recently-seen.ts';
import type { TokenCredential } from '../grants.ts';
import { carryUse } from '../keys/key-use.ts';
import { touchGrant } from './grant-store.ts';

/** `carryKeyUse` for the grant of a verified token. */
export const carryGrantUse = (credential: TokenCredential, recent: RecentlySeen): (() => Carried | null) =>
  carryUse(credential.familyId, recent, () => touchGrant(credential, Date.now()));

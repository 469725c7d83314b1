import type { Permission } from '../../src/accounts/scopes.ts';
import type { Caller } from './forms.ts';
import type { Call } from './service.ts';

/** An endpoint with a request that succeeds. */
export interface Endpoint {
  readonly name: string;
  readonly needs: Permission;
  /** The status of success. */
  readonly status: number;
  /** True if the endpoint changes nothing, although it is a POST. */
  readonly isRead?: true;
  /** True if the endpoint is about one thing of the client, which others do not find. */
  readonly ofOne: boolean;
  /** True if that thing says which client is selected. */
  readonly saysClient?: true;
  /** The error for a stranger who names the client. */
  readonly toStrangers?: 'not_found';
  /** The isolate that answers, if it is not the usual one. */
  readonly through?: Call;
  /** Creates the requested thing as an owner, and returns its path. */
  readonly prepare: (owner: Caller) => Promise<{ readonly path: string; readonly body?: object | string }>;
}

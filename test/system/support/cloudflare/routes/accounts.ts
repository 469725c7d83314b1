import type { Routes } from '../call.ts';
import { ApiError, pageOf } from '../envelope.ts';
import { newId, type Account } from '../state.ts';

/** The user who is signed in, and the accounts: https://developers.cloudflare.com/api/resources/accounts/ */
export const accountRoutes: Routes = {
  'GET /user': () => ({ id: USER_ID, email: EMAIL }),
  'GET /user/tokens/verify': () => ({ id: USER_ID, status: 'active' }),
  'GET /accounts': ({ accounts, query }) => pageOf(accounts.map(present), query, 20),
  'GET /accounts/:account': ({ account }) => present(account),
  // Source: https://developers.cloudflare.com/api/resources/accounts/subresources/subscriptions/
  'GET /accounts/:account/subscriptions': ({ account, query }) => {
    if (account.plans === null) throw new ApiError(403, 10000, 'Authentication error');
    return pageOf(
      account.plans.map((id) => ({ id: newId(), rate_plan: { id } })),
      query,
      20,
    );
  },
  // wrangler uses only accounts that are in both lists.
  'GET /memberships': ({ accounts, query }) =>
    pageOf(
      accounts.map((account) => ({ id: account.id, status: 'accepted', account: present(account), roles: [] })),
      query,
      20,
    ),
};

/** The author of all that is uploaded. */
export const EMAIL = 'operator@example.com';
export const USER_ID = '11111111222222223333333344444444';

function present({ id, name }: Account) {
  return { id, name, type: 'standard' };
}

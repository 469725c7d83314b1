import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { fault, WITHOUT_CONTROLS } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';
import { seal, type SealingKey } from '../../secrets/sealing.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import { keyName } from '../users/names.ts';
import { issuerFaultOf } from './discovery.ts';
import type { Provider } from './provider.ts';
import { selectProviderOf, toProvider, type ProviderRow } from './provider-store.ts';
import * as store from './settings-store.ts';
import { parseRules } from './roles.ts';

/** The provider of a workspace, which its owners set up in a session that was confirmed within ten minutes. */

const MAX_TEXT = 500;
const line = (code: 'invalid_token' | 'invalid_client_id') =>
  z
    .string()
    .max(MAX_TEXT, { error: `must be at most ${MAX_TEXT} characters long`, abort: true })
    .refine((text) => WITHOUT_CONTROLS.test(text), { error: 'must not contain control characters', ...fault(code) });

const SCOPE = /^openid(?: [!-~]{1,80}){0,20}$/;

export const providerFields = lazy(() =>
  z.strictObject({
    name: keyName(),
    issuer: z.string().superRefine((text, ctx) => {
      const message = issuerFaultOf(text);
      if (message !== null) ctx.addIssue({ code: 'custom', message, ...fault('invalid_url') });
    }),
    client_id: line('invalid_client_id'),
    // Sent empty, the one that is stored stays.
    secret: line('invalid_token').optional(),
    scope: z
      .string()
      .default('openid email profile')
      .refine((text) => text.length <= MAX_TEXT && SCOPE.test(text), {
        error: 'must be openid, and further scopes with single spaces between them',
        ...fault('invalid_scopes'),
      }),
    roles: z.string().default(''),
  }),
);

type ProviderFields = z.output<ReturnType<typeof providerFields>>;

/** The capabilities of the verbs here. */
export interface SettingsTools {
  readonly db: Database;
  readonly keys: readonly SealingKey[];
  readonly actor: Actor & { readonly clientId: string };
  readonly session: Session;
}

/** The provider of the actor's workspace; null without one. Throws `store_unavailable`, and what `authorize` throws. */
export async function getProvider(db: Database, actor: SettingsTools['actor']): Promise<Provider | null> {
  const [access, [row]] = await db.batch<[AccessRow, ProviderRow]>([
    selectAccess(actor, 'members', Date.now()),
    selectProviderOf(actor.clientId),
  ]);
  authorize(access, actor);
  return row ? toProvider(row) : null;
}

/**
 * Stores the provider of a workspace. Another issuer, or another application there, is another provider: the former one is
 * removed, and its identities sign in no one. Throws `missing_field`, `invalid_role`, `webhooks_off`, `step_up_required`,
 * `edit_conflict` if the workspace is opened by the former one alone, `store_unavailable`, and what `authorize` throws.
 */
export async function saveProvider(tools: SettingsTools, fields: ProviderFields): Promise<void> {
  const { db, actor, keys, session } = tools;
  requireConfirmation(session);
  const { name, issuer, client_id: application, secret, scope } = fields;
  const roles = JSON.stringify(parseRules(fields.roles));
  const former = await getProvider(db, actor);
  const stays = former?.issuer === issuer && former.application === application;
  const id = stays ? former.id : crypto.randomUUID();
  if (secret === undefined && !(stays && former.secret !== null)) throw missingSecret();
  if (keys.length === 0) throw new AppError('webhooks_off', 'This service has no key to encrypt secrets with.');
  const sealed = secret === undefined ? null : await seal(keys, id, secret);
  const now = Date.now();
  const stored = { id, issuer, application, name, secret: sealed, scope, roles };
  const [access, ...changes] = await db.batch<[AccessRow, ...unknown[]]>([
    selectAccess(actor, 'members', now),
    ...(former && !stays ? store.turnOff(actor, now, former.id, true) : []),
    ...(stays ? store.updateProvider(actor, now, stored) : store.insertProvider(actor, now, stored)),
  ]);
  authorize(access, actor);
  // A removal that was refused leaves no room for another provider.
  if (changes.at(stays ? -1 : -2)?.length === 0) throw isRequired();
}

function missingSecret(): AppError {
  const sentence = 'This is required.';
  return new AppError('missing_field', 'secret is required.', { faults: [{ field: 'secret', sentence }] });
}

const isRequired = () =>
  new AppError(
    'edit_conflict',
    'Members may sign in with this provider only. End that first, then remove the provider.',
  );

/** Turns sign-in with the provider on. Throws like `turnProviderOff`. */
export async function turnProviderOn({ db, actor, session }: SettingsTools): Promise<void> {
  requireConfirmation(session);
  const provider = await getProvider(db, actor);
  if (provider) await db.batch(store.turnOn(actor, Date.now(), provider.id));
}

/**
 * Turns sign-in with the provider off, or removes the provider, and ends the sessions that began there. Throws
 * `step_up_required`, `edit_conflict` if the workspace is opened by it alone, `store_unavailable`, and what `authorize`
 * throws.
 */
export async function turnProviderOff({ db, actor, session }: SettingsTools, isRemoved = false): Promise<void> {
  requireConfirmation(session);
  const provider = await getProvider(db, actor);
  if (!provider) return;
  const now = Date.now();
  const [, changed, , required] = await db.batch<[never, unknown, never, unknown]>([
    ...store.turnOff(actor, now, provider.id, isRemoved),
    store.selectRequired(actor, now),
  ]);
  if (changed.length === 0 && required.length > 0) throw isRequired();
}

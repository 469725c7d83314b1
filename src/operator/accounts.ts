import * as z from 'zod';
import { parseApiKey } from '../accounts/keys/api-key.ts';
import * as accounts from '../accounts/operator.ts';
import { roleField } from '../accounts/members/members.ts';
import { connectUser } from '../accounts/providers/connect-user.ts';
import type { NamedProvider } from '../accounts/providers/provider.ts';
import { clientId, keyName, newUserName, password, subject, userName } from '../accounts/users/names.ts';
import { createResetLinkByName } from '../accounts/users/resets.ts';
import type { Database } from '../database/database.ts';
import { parseDomainName } from '../network/hosts.ts';
import { addActiveDomain } from '../domains/domains.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import { toInstant } from '../time/instant.ts';
import { refuseDeleted } from '../workspaces/daily.ts';
import { createClientKey } from './client-key.ts';
import { command, type OperatorCommand, type ServiceProviders } from './command.ts';

/**
 * The operator's commands for users, clients, keys and domains. The operator reads their error sentences at a terminal.
 */

const name = lazy(() => ({ name: userName() }));
const client = lazy(() => ({ client_id: clientId() }));

// Null for a key that does not expire.
const lifetime = lazy(() =>
  z
    .int()
    .min(60)
    .max(366 * 24 * 3600)
    .nullable()
    .default(null),
);

// A key that the tool has generated, so that it can send the command again if it gets no answer.
const ownKey = lazy(() =>
  z
    .string()
    .max(100)
    .transform((text, context) => {
      const key = parseApiKey(text);
      if (key !== null) return key;
      context.addIssue({ code: 'custom', message: 'must be an API key' });
      return z.NEVER;
    })
    .optional(),
);

const host = lazy(() =>
  z.string().transform((text, context) => {
    const parsed = text.length > MAX_HOST ? null : parseDomainName(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: 'must be a host name such as go.example.com' });
    return z.NEVER;
  }),
);
// Longer than a host name, since a Unicode name is converted to punycode after this check.
const MAX_HOST = 1024;

export const ACCOUNT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'add-user': command(
    () => z.strictObject({ name: newUserName(), ...client(), password: password() }),
    async ({ db, hash, place }, fields) => {
      const { name, password, client_id } = fields;
      await refuseDeleted(db, client_id);
      const added = await accounts.addUser(db, { name, password, clientId: client_id }, hash);
      if (added) await place(client_id);
      if (added) return { local_id: added.userId };
      throw new AppError('name_taken', `The user ${name} already exists: choose another name, or use "join".`);
    },
  ),
  'join-client': command(
    () => z.strictObject({ ...name(), ...client(), role: roleField().optional() }),
    async ({ db, place }, fields) => {
      await refuseDeleted(db, fields.client_id);
      if (!(await accounts.addMember(db, fields.name, fields.client_id, fields.role))) throw noSuchUser(fields.name);
      await place(fields.client_id);
      return {};
    },
  ),
  'change-password': command(
    () => z.strictObject({ ...name(), password: password() }),
    async ({ db, hash }, fields) => {
      if (!(await accounts.changePassword(db, fields.name, fields.password, hash))) throw noSuchUser(fields.name);
      return {};
    },
  ),
  'make-reset-link': command(
    () => z.strictObject(name()),
    async ({ db }, { name }) => {
      const link = await createResetLinkByName(db, name);
      if (link === 'no_such_user') throw noSuchUser(name);
      if (link === 'disabled')
        throw new AppError('edit_conflict', `The user ${name} is disabled: enable the account first.`);
      return { path: `/platform/reset/${link.token}`, name: link.userName, good_until: toInstant(link.expiresAt) };
    },
  ),
  'disable-user': forUser(accounts.disableUser),
  'reset-factors': forUser(accounts.resetFactors),
  'enable-user': forUser(accounts.enableUser),
  'connect-user': command(
    () => z.strictObject({ ...name(), at: z.enum(['access', 'oidc']), subject: subject() }),
    async ({ db, providers }, { name, at, subject }) => {
      const provider = providerAt(providers, at);
      if (!provider)
        throw new AppError('not_found', `The settings name no such provider: ${SETTINGS[at]} are not set.`);
      const outcome = await connectUser(db, name, provider, subject);
      if (outcome === 'connected') return {};
      if (outcome === 'no_such_user') throw noSuchUser(name);
      throw new AppError('edit_conflict', refusalOf(outcome, name));
    },
  ),
  'make-key': command(
    () => z.strictObject({ ...client(), name: keyName(), lifetime_seconds: lifetime(), api_key: ownKey() }),
    async ({ db }, fields) => {
      const { client_id, name, lifetime_seconds, api_key } = fields;
      const lifetimeMs = lifetime_seconds && lifetime_seconds * 1000;
      const key = await createClientKey(db, client_id, name, lifetimeMs, api_key);
      return { api_key: key.text };
    },
  ),
  'add-domain': command(
    () => z.strictObject({ host: host(), ...client() }),
    async ({ db }, { host, client_id }) => {
      await refuseDeleted(db, client_id);
      if (await addActiveDomain(db, host, client_id)) return { host };
      throw new AppError('domain_taken', `There is no client ${client_id}, or the domain ${host} already exists.`);
    },
  ),
  'list-users': command(
    () => z.strictObject({}),
    async ({ db }) => ({ users: await accounts.listAccounts(db) }),
  ),
};

function forUser(verb: (db: Database, name: string) => Promise<boolean>): OperatorCommand {
  return command(
    () => z.strictObject(name()),
    async ({ db }, { name }) => {
      if (!(await verb(db, name))) throw noSuchUser(name);
      return {};
    },
  );
}

const SETTINGS = { access: 'ACCESS_TEAM and ACCESS_AUDIENCE', oidc: 'OIDC_ISSUER and OIDC_CLIENT_ID' } as const;

function providerAt({ serviceProvider, access }: ServiceProviders, at: keyof typeof SETTINGS): NamedProvider | null {
  return at === 'access'
    ? access && { kind: 'access', issuer: access.issuer, application: access.audience }
    : serviceProvider && { kind: 'openid', issuer: serviceProvider.issuer, application: serviceProvider.application };
}

function refusalOf(outcome: 'not_seen' | 'no_client' | { readonly taken: string }, name: string): string {
  if (outcome === 'not_seen')
    return 'No person has come by this provider yet: let them sign in first, which shows their subject.';
  if (outcome === 'no_client')
    return `The user ${name} belongs to no client, and no provider opens such an account: use "join" first.`;
  return `The subject belongs to the user ${outcome.taken}, who keeps it until that user is connected with another subject, or deletes the account.`;
}

function noSuchUser(name: string): AppError {
  return new AppError('not_found', `There is no user ${name}: "npm run account -- list" shows all users.`);
}

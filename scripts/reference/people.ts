import * as z from 'zod';
import { acceptAsNewFields, acceptFields } from '../../src/accounts/invites/accept.ts';
import { newInviteFields } from '../../src/accounts/invites/invites.ts';
import { memberChangeFields } from '../../src/accounts/members/members.ts';
import { ROLES } from '../../src/accounts/roles.ts';
import { memberRemovalQuery } from '../../src/http/account-queries.ts';
import { noQuery } from '../../src/http/queries.ts';
import { ACTOR_QUERY, OWNER } from './acting.ts';
import { CLIENT_ID, INVITE_ID, INVITE_TOKEN, MEMBER_ID, NOW, ORIGIN, OWNER_ID } from './examples.ts';
import { instant } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { takes: ['bearer'], headers: ['X-Request-Id'] } as const;
const members = { ...common, tag: 'Members' } as const;
const invites = { ...common, tag: 'Invites' } as const;

const role = () => z.enum(ROLES).meta({ description: 'Owners also manage members, domains and all keys' });
const joinedAt = () => instant('When the user joined the client');

const member = output('Member', () =>
  z.strictObject({
    local_id: z.string().meta({ description: 'The id of the user' }),
    name: z.string().meta({ description: 'The name of the user' }),
    role: role(),
    joined_at: joinedAt(),
    disabled_at: instant('When the account was disabled; null if it is not').nullable(),
    suspended_at: instant(
      'When the membership was suspended, since an identity provider had not confirmed the user; null if it is not',
    ).nullable(),
  }),
);
const OWNER_ENTRY = {
  local_id: OWNER_ID,
  name: 'ann',
  role: 'owner',
  joined_at: '2026-01-05T08:00:00.000Z',
  disabled_at: null,
  suspended_at: null,
};
const MEMBER_ENTRY = {
  local_id: MEMBER_ID,
  name: 'bob',
  role: 'member',
  joined_at: '2026-02-10T08:30:00.000Z',
  disabled_at: null,
  suspended_at: null,
};

const inviteFields = () => ({
  id: z.string().meta({ description: 'The id of the invite' }),
  role: role(),
  created_at: instant('When the invite was created'),
  created_by: z.string().meta({ description: 'The name of the owner who created the invite' }),
  expires_at: instant('When the invite expires'),
});
const invite = output('Invite', () => z.strictObject(inviteFields()));
const INVITE = {
  id: INVITE_ID,
  role: 'member',
  created_at: '2026-11-21T09:00:00.000Z',
  created_by: 'ann',
  expires_at: '2026-11-24T09:00:00.000Z',
};

const newAccount = input('InviteAcceptanceAsNew', acceptAsNewFields);
const ownAccount = input('InviteAcceptanceAsUser', acceptFields);

const pathParameters = { local_id: { description: 'The id of the user', example: MEMBER_ID } };

export const peopleEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...members,
    path: '/v1/members',
    operationId: 'listMembers',
    summary: 'List the members of a client, those who joined last first',
    description: 'All users of the client with their roles, disabled accounts included.',
    list: listOf('MemberList', 'members', member, 'those who joined last first'),
    examples: [MEMBER_ENTRY, OWNER_ENTRY],
    who: OWNER,
  }),
  {
    ...members,
    method: 'patch',
    path: '/v1/members/{local_id}',
    operationId: 'changeMember',
    summary: 'Change the role of a member',
    description: 'A client keeps at least one owner: the last one cannot become a member.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('MemberChange', memberChangeFields),
      example: { role: 'owner' },
    },
    answers: { 200: { description: 'The member', schema: member, example: { ...MEMBER_ENTRY, role: 'owner' } } },
    codes: [...OWNER, 'not_found', 'last_owner', 'store_unavailable'],
  },
  {
    ...members,
    method: 'delete',
    path: '/v1/members/{local_id}',
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'The user stays signed in, and a member of other clients. With `keys=adopt` their keys keep working in your name, but the removed member still knows the secrets: roll each key that has an `adopted_at` in `GET /v1/keys`, with `former_secret=end`.',
    pathParameters,
    query: { schema: memberRemovalQuery(), example: { keys: 'adopt' } },
    answers: { 204: { description: 'The member is removed' } },
    codes: [...OWNER, 'not_found', 'last_owner', 'store_unavailable'],
  },
  listEndpoint({
    ...invites,
    path: '/v1/invites',
    operationId: 'listInvites',
    summary: 'List open invites, newest first',
    description: 'Invites that are not accepted, revoked or expired. Their links are not shown again.',
    list: listOf('InviteList', 'invites', invite, 'newest first'),
    examples: [INVITE],
    who: OWNER,
  }),
  {
    ...invites,
    method: 'post',
    path: '/v1/invites',
    operationId: 'createInvite',
    summary: 'Create an invite',
    description:
      'The link can be used once, within 72 hours, and only while the user who created it is an owner. With `email` it is mailed too, in the language of that user, if the service sends mail: at most 20 a day for a client, and 3 a week to one address. Beyond that, `mailed` is false, and the link is only shown.',
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('NewInvite', newInviteFields),
      example: { role: 'member', email: 'ann@example.com' },
    },
    answers: {
      201: {
        description: 'The invite and its link',
        schema: output('InviteWithLink', () =>
          z.strictObject({
            ...inviteFields(),
            url: z.string().meta({ description: 'The link, shown only once', format: 'uri' }),
            mailed: z.boolean().meta({ description: 'True if the link is on its way to `email`' }),
          }),
        ),
        example: {
          ...INVITE,
          created_at: NOW,
          expires_at: '2026-11-24T10:00:00.000Z',
          url: `${ORIGIN}/platform/invite/${INVITE_TOKEN}`,
          mailed: true,
        },
      },
    },
    codes: ['invalid_idempotency_key', ...OWNER, 'too_many_invites', 'mail_off', 'store_unavailable'],
  },
  {
    ...invites,
    method: 'delete',
    path: '/v1/invites/{id}',
    operationId: 'revokeInvite',
    summary: 'Revoke an invite',
    description: 'Its link stops working.',
    pathParameters: { id: { description: 'The id of the invite', example: INVITE_ID } },
    query: ACTOR_QUERY,
    answers: { 204: { description: 'It is revoked' } },
    codes: [...OWNER, 'not_found', 'store_unavailable'],
  },
  {
    ...invites,
    method: 'post',
    path: '/v1/invites/accept',
    operationId: 'acceptInvite',
    summary: 'Accept an invite',
    description:
      'With a bearer token, its user joins, and the body has only `token`. Without a credential, `name` and `password` ' +
      'create an account.',
    takes: ['bearer', 'none'],
    query: { schema: noQuery() },
    body: {
      types: ['application/json'],
      schema: input('InviteAcceptance', () => z.union([newAccount(), ownAccount()])),
      example: { token: INVITE_TOKEN, name: 'eve', password: 'correct horse battery' },
    },
    answers: {
      201: {
        description: 'The user who has joined',
        schema: output('Joined', () =>
          z.strictObject({
            client_id: z.string().meta({ description: 'The client that the user has joined' }),
            local_id: z.string().meta({ description: 'The id of the user' }),
            name: z.string().meta({ description: 'The name of the user' }),
            role: role(),
            joined_at: joinedAt(),
          }),
        ),
        example: {
          client_id: CLIENT_ID,
          local_id: '0e4c7d52-96b1-4f3a-a8d7-2c5b9e1f6043',
          name: 'eve',
          role: 'member',
          joined_at: NOW,
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      'missing_field',
      'unknown_field',
      'invalid_token',
      'invalid_name',
      'invalid_password',
      'insufficient_scope',
      'step_up_required',
      'not_found',
      'already_member',
      'name_taken',
      'gone',
      'too_many_requests',
      'busy',
      'store_unavailable',
    ],
  },
];

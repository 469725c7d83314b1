import * as z from 'zod';

/**
 * The facts that a test needs to use the database of a release: `known.json` beside `database.sqlite`. All passwords,
 * keys and tokens in it were invented for tests and open nothing else. The file of a release stays as it was written,
 * so fields that are added later must be optional.
 */

const clicks = z.strictObject({ humans: z.int(), bots: z.int(), previews: z.int() });

const user = z.strictObject({
  name: z.string(),
  password: z.string(),
  localId: z.string(),
  /** Each client with the role there, which was `owner` for all users before there were roles. */
  clients: z.record(z.string(), z.enum(['owner', 'member'])),
  tokens: z
    .strictObject({
      accessToken: z.string(),
      apiToken: z.string(),
      refreshToken: z.string(),
      /** The refresh token that was used up for `refreshToken`. */
      usedRefreshToken: z.string(),
    })
    .optional(),
  /** The cookie of a browser that is signed in to the platform by http, as `name=value`. */
  sessionCookie: z.string().optional(),
});

const apiKey = z.strictObject({
  name: z.string(),
  clientId: z.string(),
  text: z.string(),
  /** The secret before the key was rolled. */
  formerText: z.string().optional(),
  /** Null for a key of the operator's tool, which has all permissions of its time. */
  scopes: z.array(z.string()).nullable(),
  state: z.enum(['active', 'revoked']),
});

const domain = z.strictObject({
  host: z.string(),
  clientId: z.string(),
  status: z.enum(['active', 'pending', 'removed']),
  rootUrl: z.string().nullable(),
  notFoundUrl: z.string().nullable(),
  caseSensitive: z.boolean().optional(),
});

const link = z.strictObject({
  /** The special feature of the link. */
  name: z.string(),
  id: z.string(),
  clientId: z.string(),
  secId: z.string(),
  /** Null on the service's own host. */
  customDomain: z.string().nullable(),
  slug: z.string(),
  aliases: z.array(z.string()),
  url: z.string(),
  campaignName: z.string().nullable(),
  metadata: z.string().nullable(),
  title: z.string().nullable().optional(),
  comments: z.string().nullable().optional(),
  /** ISO 8601. */
  expiresAt: z.string().nullable(),
  /** An active link redirects; a blocked one is 403, all others are 410. */
  state: z.enum(['active', 'expired', 'disabled', 'deleted', 'blocked']),
  /** The number of entries in its history. */
  history: z.int(),
  clicks,
});

const invite = z.strictObject({
  clientId: z.string(),
  role: z.enum(['owner', 'member']),
  token: z.string(),
  state: z.enum(['open', 'accepted', 'revoked']),
});

export const knownSchema = z.strictObject({
  note: z.string(),
  version: z.string(),
  /** ISO 8601. Tokens and sessions last 30 days from then on. */
  createdAt: z.string(),
  /** Where the service ran. Its session cookies are those of plain http. */
  origin: z.string(),
  /** Where `npm start --persist-to DIR` looks for the database, below DIR. */
  databasePath: z.string(),
  /** The value of TOKEN_KEYS. */
  tokenKeys: z.string(),
  users: z.array(user),
  apiKeys: z.array(apiKey),
  domains: z.array(domain),
  links: z.array(link),
  invites: z.array(invite),
  blockedHosts: z.array(z.string()),
  /** The clicks of each client, and of its campaigns as they were when the links were followed. */
  clients: z.record(z.string(), z.strictObject({ clicks, campaigns: z.record(z.string(), clicks) })),
  /** Calls of `POST /shortener/encode` by each client. Releases without encode statistics have not counted them. */
  encodeCalls: z.record(z.string(), z.int()),
  /** The number of entries in the audit log of each client. */
  auditEntries: z.record(z.string(), z.int()),
});

export type Known = z.infer<typeof knownSchema>;
export type KnownUser = z.infer<typeof user>;
export type KnownKey = z.infer<typeof apiKey>;
export type KnownDomain = z.infer<typeof domain>;
export type KnownLink = z.infer<typeof link>;
export type KnownInvite = z.infer<typeof invite>;
export type Clicks = z.infer<typeof clicks>;

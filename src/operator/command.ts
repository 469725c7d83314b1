import type * as z from 'zod';
import type { Hash } from '../accounts/operator.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseWatch } from '../database/database-watch.ts';
import { AppError } from '../errors.ts';
import type { EventQueue } from '../events/notify.ts';
import { readJson } from '../http/json.ts';
import { lazy } from '../isolate/lazy.ts';
import type { Site } from '../network/hosts.ts';
import type { LimitObjects, StatisticsObjects } from './objects.ts';

/** The identity provider of the service, and the application of Cloudflare Access; each null if it is not set. */
export interface ServiceProviders {
  readonly serviceProvider: { readonly issuer: string; readonly application: string } | null;
  readonly access: { readonly issuer: string; readonly audience: string } | null;
}

/** The stores of the commands. */
export interface Stores {
  /** Fails while a restore is under way. */
  readonly db: Database;
  /** The database of `db`, which also works during a restore; for backup and restore. */
  readonly store: Database;
  /** The click statistics of all clients; for backup and restore. */
  readonly objects: StatisticsObjects;
  /** The counts of all limited links; for backup and restore. */
  readonly limits: LimitObjects;
  /** Places the objects of a new client near the operator, so that no visitor far away decides where they are. */
  readonly place: (clientId: string) => Promise<void>;
  /** The cache of hot links. */
  readonly kv: KVNamespace;
  /** Hashes a password. */
  readonly hash: Hash;
  /** Forgets the links that this isolate remembers. */
  readonly forget: () => void;
  readonly watch: DatabaseWatch;
  /** The site of its requests, whose URL is that of each. */
  readonly site: Omit<Site, 'requestUrl'>;
  /** The ways of the settings by which a company's people sign in. */
  readonly providers: ServiceProviders;
  /** Writes what the command is about to the operator's log. Each command calls this once its body is parsed. */
  readonly record: (subject: string) => Promise<void>;
  /** For events that are to be dispatched at once. */
  readonly events: EventQueue;
}

/** Reads the request's body up to a bound, and returns the answer. Throws `AppError`. */
export type OperatorCommand = (stores: Stores, request: Request) => Promise<object>;

/** A command whose body is a JSON object of these fields. */
export function command<Schema extends z.ZodType>(
  makeSchema: () => Schema,
  run: (stores: Stores, fields: z.output<Schema>) => Promise<object>,
): OperatorCommand {
  const schema = lazy(makeSchema);
  return async (stores, request) => {
    const fields = parse(schema(), await readJson(request));
    await stores.record(subjectOf(fields));
    return run(stores, fields);
  };
}

// Of all other fields, some are secret.
const SUBJECT_FIELDS = [
  'name',
  'client_id',
  'client',
  'role',
  'host',
  'table',
  'sha256',
  'key_id',
  'dry_run',
  'at',
  'subject',
] as const;

/** The subject of a command, for the operator's log, such as `name=ann client_id=acme`. */
export function subjectOf(fields: unknown): string {
  const named = new Map(Object.entries(fields ?? {}));
  return SUBJECT_FIELDS.filter((field) => named.get(field) !== undefined)
    .map((field) => `${field}=${named.get(field)}`)
    .join(' ');
}

/**
 * All faults have one code: the tools check their input before they send it, so only their developers see this
 * sentence.
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('malformed_body', `${issue?.path.join('.')} ${issue?.message}.`);
}

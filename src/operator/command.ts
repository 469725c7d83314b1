import type * as z from 'zod';
import type { Hash } from '../accounts/operator.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseWatch } from '../database/database-watch.ts';
import { AppError } from '../errors.ts';
import type { EventQueue } from '../events/notify.ts';
import { readJson } from '../http/json.ts';
import { lazy } from '../lazy.ts';
import type { LimitObjects, StatisticsObjects } from './objects.ts';

/** What the commands work with. */
export interface Stores {
  /** Fails while a restore is under way. */
  readonly db: Database;
  /** The same database, which also works during a restore; for backup and restore. */
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
  /** `PUBLIC_URL`, or null if it is not set. */
  readonly publicUrl: URL | null;
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
  return async (stores, request) => run(stores, parse(schema(), await readJson(request)));
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

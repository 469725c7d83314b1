import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { readToml } from '../toml.ts';

/** The settings in `wrangler.toml`, as far as a deploy reads or changes them; all else is passed on. */

const queueProducer = z.looseObject({ binding: z.string(), queue: z.string() });
const queueConsumer = z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() });

const project = z.looseObject({
  name: z.string(),
  account_id: z.string().optional(),
  main: z.string(),
  vars: z.record(z.string(), z.string()),
  assets: z.looseObject({ directory: z.string() }),
  d1_databases: z.tuple([
    z.looseObject({ binding: z.string(), database_name: z.string(), database_id: z.string().optional() }),
  ]),
  kv_namespaces: z.tuple([z.looseObject({ binding: z.string(), id: z.string().optional() })]),
  queues: z.looseObject({
    producers: z.tuple([queueProducer, queueProducer]),
    consumers: z.array(queueConsumer),
  }),
  observability: z.looseObject({}).default({ enabled: false }),
  send_email: z.array(z.looseObject({ name: z.string() })).default([]),
  ratelimits: z.array(z.looseObject({ name: z.string(), namespace_id: z.string() })),
  exports: z.record(z.string(), z.looseObject({ type: z.string(), state: z.string().optional() })).default({}),
  env: z.record(z.string(), z.looseObject({ vars: z.record(z.string(), z.string()).default({}) })).default({}),
});

export type Project = z.output<typeof project>;

/** Reads `wrangler.toml` of the current folder. */
export function readProject(): Project {
  return project.parse(readToml());
}

/** One set of everything that a deploy creates. */
export interface Environment {
  /** Null for production. */
  readonly name: string | null;
  readonly worker: string;
  readonly database: string;
  readonly namespace: string;
  readonly queue: string;
  readonly deadLetterQueue: string;
  readonly webhookQueue: string;
}

/** The names of an environment: those of `wrangler.toml`; in another environment its name follows that of the Worker. */
export function environmentOf({ name: worker, d1_databases, queues }: Project, name: string | null): Environment {
  const [{ database_name }] = d1_databases;
  const [{ queue }, webhooks] = queues.producers;
  const deadLetterQueue = queues.consumers.find((consumer) => consumer.queue === queue)?.dead_letter_queue ?? '';
  const named = (text: string) => {
    if (name === null) return text;
    return text.startsWith(worker) ? `${worker}-${name}${text.slice(worker.length)}` : `${text}-${name}`;
  };
  return {
    name,
    worker: named(worker),
    database: named(database_name),
    namespace: named(`${worker}-links`),
    queue: named(queue),
    deadLetterQueue: named(deadLetterQueue),
    webhookQueue: named(webhooks.queue),
  };
}

/** The settings in `wrangler.toml` of an environment. */
export const varsOf = ({ vars, env }: Project, { name }: Pick<Environment, 'name'>): Readonly<Record<string, string>> =>
  name === null ? vars : { ...vars, ...env[name]?.vars };

/** Refuses webhooks to the machine itself, which is not the customer's on a server. Throws `UsageError`. */
export function refuseLoopback(project: Project, environment: Pick<Environment, 'name'>): void {
  if (varsOf(project, environment)['WEBHOOK_LOOPBACK']?.trim() !== 'on') return;
  throw new UsageError(
    'WEBHOOK_LOOPBACK in wrangler.toml is "on", which is for local runs only, and nothing was changed: set it to "off".',
  );
}

/** The values that a deploy gets only from the account. */
interface Bound {
  readonly accountId: string;
  readonly databaseId: string;
  readonly namespaceId: string;
  /** Settings that override those of `wrangler.toml`. */
  readonly vars: Readonly<Record<string, string>>;
}

/** The configuration that wrangler gets, which lies outside the project's folder. */
export function configOf(
  { env, ...project }: Project,
  environment: Environment,
  { accountId, databaseId, namespaceId, vars }: Bound,
): { readonly name: string; readonly [key: string]: unknown } {
  const [database] = project.d1_databases;
  const [namespace] = project.kv_namespaces;
  const [clicks, webhooks] = project.queues.producers;
  const queueOf = (name: string) =>
    new Map([
      [clicks.queue, environment.queue],
      [webhooks.queue, environment.webhookQueue],
    ]).get(name) ?? environment.deadLetterQueue;
  return {
    ...project,
    account_id: accountId,
    name: environment.worker,
    main: resolve(project.main),
    assets: { ...project.assets, directory: resolve(project.assets.directory) },
    d1_databases: [{ binding: database.binding, database_name: environment.database, database_id: databaseId }],
    kv_namespaces: [{ binding: namespace.binding, id: namespaceId }],
    queues: {
      producers: project.queues.producers.map((producer) => ({ ...producer, queue: queueOf(producer.queue) })),
      consumers: project.queues.consumers.map(({ queue, dead_letter_queue, ...consumer }) => ({
        ...consumer,
        queue: queueOf(queue),
        ...(dead_letter_queue !== undefined && { dead_letter_queue: environment.deadLetterQueue }),
      })),
    },
    ratelimits: project.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: limiterIdOf(limit.namespace_id, environment.name),
    })),
    vars: {
      ...project.vars,
      ...(environment.name !== null && { ...OF_PRODUCTION, ...env[environment.name]?.vars }),
      DEAD_LETTER_QUEUE: environment.deadLetterQueue,
      WEBHOOK_QUEUE: environment.webhookQueue,
      ...vars,
    },
  };
}

/** The settings that name things of production, which no other environment shares. */
const OF_PRODUCTION = { CF_ZONE_ID: '', DOMAIN_TARGET: '' };

// The ids are those of the account, so that two Workers with the same id would share a limit. Source:
// https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
const IDS_OF_AN_ENVIRONMENT = 10_000;
const ENVIRONMENTS = 100_000;

function limiterIdOf(id: string, environment: string | null): string {
  if (environment === null) return id;
  const number = createHash('sha256').update(environment).digest().readUInt32BE() % (ENVIRONMENTS - 1);
  return String((number + 1) * IDS_OF_AN_ENVIRONMENT + Number(id));
}

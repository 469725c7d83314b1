import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { CloudflareError, type Cloudflare } from './cloudflare.ts';
import type { Environment, Project } from './project.ts';

/** The resources of an environment in the account. Null stands for what is not there. */
export interface Inventory {
  /** The account's part of `NAME.workers.dev`. */
  readonly subdomain: string;
  readonly databaseId: string | null;
  /** True if the replicas of the database are turned on. */
  readonly hasReplicas: boolean;
  readonly namespaceId: string | null;
  /** By name. */
  readonly queues: ReadonlyMap<string, QueueFound>;
  readonly worker: WorkerFound | null;
  /** The hosts that are bound to the Worker. */
  readonly domains: readonly DomainFound[];
}

interface QueueFound {
  readonly id: string;
  readonly retentionSeconds: number;
}

export interface WorkerFound {
  readonly secrets: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  /** The classes of its Durable Objects. */
  readonly classes: readonly string[];
}

interface DomainFound {
  readonly id: string;
  readonly host: string;
}

// Source: https://developers.cloudflare.com/workers/observability/errors/ and the answers that wrangler knows.
const NO_SUCH_WORKER = new Set([10007, 10090]);
const NO_SUBDOMAIN = 10007;

/** Reads what an environment has, and changes nothing. Throws `UsageError` if the account cannot have it. */
export async function readInventory(
  cloudflare: Cloudflare,
  project: Project,
  environment: Environment,
): Promise<Inventory> {
  const { accountId } = cloudflare;
  await checkPlan(cloudflare);
  const subdomain = await readSubdomain(cloudflare);
  const settings = await readSettings(cloudflare, environment.worker);
  const bound = new Map((settings?.bindings ?? []).map((binding) => [binding.name, binding]));
  const [database] = project.d1_databases;
  const [namespace] = project.kv_namespaces;
  if (settings && !(bound.has(database.binding) && bound.has(namespace.binding))) {
    throw new UsageError(
      `The account has a Worker ${environment.worker} that is not this service, and nothing was changed: choose another "name" in wrangler.toml, or rename that Worker.`,
    );
  }
  // What the Worker of production uses may have been created under another name by hand. Another environment has only
  // what has its name, so that it never shares a store with production.
  const isProduction = environment.name === null;
  const databaseId =
    (isProduction ? (idOf(bound.get(database.binding)) ?? database.database_id) : undefined) ??
    (await findDatabase(cloudflare, environment.database));
  const namespaceId =
    (isProduction ? (idOf(bound.get(namespace.binding)) ?? namespace.id) : undefined) ??
    (await findNamespace(cloudflare, environment.namespace));
  return {
    subdomain,
    databaseId: databaseId ?? null,
    hasReplicas: databaseId !== undefined && (await readReplicas(cloudflare, databaseId)),
    namespaceId: namespaceId ?? null,
    queues: await readQueues(cloudflare),
    worker:
      settings &&
      ({
        secrets: (await readSecrets(cloudflare, environment.worker)).map(({ name }) => name),
        vars: Object.fromEntries(settings.bindings.map(({ name, text }) => [name, text ?? ''])),
        classes: await readClasses(cloudflare, environment.worker),
      } satisfies WorkerFound),
    domains: (
      await cloudflare.list(
        `/accounts/${accountId}/workers/domains?service=${environment.worker}`,
        z.looseObject({ id: z.string(), hostname: z.string(), service: z.string() }),
      )
    )
      .filter(({ service }) => service === environment.worker)
      .map(({ id, hostname }) => ({ id, host: hostname })),
  };
}

const subscription = z.looseObject({ rate_plan: z.looseObject({ id: z.string().optional() }).optional() });

// Sign-ins hash passwords, which takes more CPU than the free plan allows.
async function checkPlan({ accountId, list }: Cloudflare): Promise<void> {
  const subscriptions = await list(`/accounts/${accountId}/subscriptions`, subscription).catch((error: unknown) => {
    // The sign-in of wrangler may not read them.
    if (error instanceof CloudflareError && error.code !== 0) return null;
    throw error;
  });
  if (subscriptions === null) {
    return console.log('The plan of the account cannot be read with this sign-in: Terse needs Workers Paid.');
  }
  if (subscriptions.some(({ rate_plan }) => /workers|enterprise/i.test(rate_plan?.id ?? ''))) return;
  throw new UsageError(
    `The account has no Workers Paid plan, and nothing was changed: sign-ins take more CPU than the free plan allows. Upgrade at https://dash.cloudflare.com/${accountId}/workers/plans, then try again.`,
  );
}

async function readSubdomain({ accountId, get }: Cloudflare): Promise<string> {
  const found = await orNull(
    get(`/accounts/${accountId}/workers/subdomain`, z.looseObject({ subdomain: z.string().nullish() })),
    new Set([NO_SUBDOMAIN]),
  );
  if (found?.subdomain) return found.subdomain;
  throw new UsageError(
    `The account has no workers.dev subdomain, and nothing was changed: open https://dash.cloudflare.com/${accountId}/workers/onboarding once, then try again.`,
  );
}

const workerSettings = z.looseObject({
  bindings: z
    .array(
      z.looseObject({
        name: z.string(),
        type: z.string(),
        text: z.string().optional(),
        id: z.string().optional(),
        database_id: z.string().optional(),
        namespace_id: z.string().optional(),
      }),
    )
    .default([]),
});

type Binding = z.output<typeof workerSettings>['bindings'][number];

function readSettings({ accountId, get }: Cloudflare, worker: string) {
  return orNull(get(`/accounts/${accountId}/workers/scripts/${worker}/settings`, workerSettings), NO_SUCH_WORKER);
}

const idOf = (binding: Binding | undefined): string | undefined =>
  binding?.namespace_id ?? binding?.database_id ?? binding?.id;

async function readSecrets({ accountId, get }: Cloudflare, worker: string) {
  return get(`/accounts/${accountId}/workers/scripts/${worker}/secrets`, z.array(z.looseObject({ name: z.string() })));
}

// Source: https://developers.cloudflare.com/api/resources/durable_objects/subresources/namespaces/methods/list/
async function readClasses({ accountId, list }: Cloudflare, worker: string): Promise<string[]> {
  const item = z.looseObject({
    class: z.string().optional(),
    script: z.string().optional(),
    preview: z.unknown().optional(),
  });
  const found = await list(`/accounts/${accountId}/workers/durable_objects/namespaces`, item);
  // A preview of the Worker has objects of its own.
  const own = found.filter(({ script, preview }) => script === worker && preview == null);
  return own.flatMap((namespace) => namespace.class ?? []);
}

async function findDatabase({ accountId, list }: Cloudflare, name: string): Promise<string | undefined> {
  const item = z.looseObject({ uuid: z.string(), name: z.string() });
  const found = await list(`/accounts/${accountId}/d1/database?name=${name}`, item);
  return found.find((database) => database.name === name)?.uuid;
}

async function readReplicas({ accountId, get }: Cloudflare, databaseId: string): Promise<boolean> {
  const details = z.looseObject({ read_replication: z.looseObject({ mode: z.string() }).nullish() });
  const { read_replication: replication } = await get(`/accounts/${accountId}/d1/database/${databaseId}`, details);
  return replication?.mode === 'auto';
}

async function findNamespace({ accountId, list }: Cloudflare, title: string): Promise<string | undefined> {
  const item = z.looseObject({ id: z.string(), title: z.string() });
  const found = await list(`/accounts/${accountId}/storage/kv/namespaces`, item);
  return found.find((namespace) => namespace.title === title)?.id;
}

async function readQueues({ accountId, list }: Cloudflare): Promise<Inventory['queues']> {
  const settings = z.looseObject({ message_retention_period: z.number().optional() }).optional();
  const item = z.looseObject({ queue_id: z.string(), queue_name: z.string(), settings });
  const queues = await list(`/accounts/${accountId}/queues`, item);
  return new Map(
    queues.map(({ queue_id: id, queue_name, settings }) => [
      queue_name,
      { id, retentionSeconds: settings?.message_retention_period ?? 0 },
    ]),
  );
}

async function orNull<T>(work: Promise<T>, codes: ReadonlySet<number>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof CloudflareError && codes.has(error.code)) return null;
    throw error;
  });
}

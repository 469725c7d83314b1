import type { StoredStatistics } from '../src/operator/objects.ts';

export { ClientStatistics } from '../src/statistics/object.ts';

/** The Worker of `openStoredObjects`: only the objects of click statistics, whose methods it calls. */

/** A call of a method. Its answer is the JSON of what it returns. */
export interface ObjectCall {
  readonly client: string;
  readonly method: keyof StoredStatistics;
  readonly args: readonly unknown[];
}

type Callable = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

export default {
  async fetch(request, { STATISTICS }) {
    const { client, method, args } = await request.json<ObjectCall>();
    try {
      const object = STATISTICS.getByName(client) as unknown as Callable;
      return Response.json({ answer: (await object[method]!(...args)) ?? null });
    } catch (cause) {
      return Response.json({ fault: String(cause) });
    }
  },
} satisfies ExportedHandler<Env>;

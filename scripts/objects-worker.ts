export { LinkLimit } from '../src/link-limit/object.ts';
export { ClientStatistics } from '../src/statistics/object.ts';

/** The Worker of `openStoredObjects`: only the Durable Objects, whose methods it calls. */

/** A call of a method. Its answer is the JSON of what it returns. */
export interface ObjectCall {
  readonly binding: 'STATISTICS' | 'LIMITS';
  readonly name: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

type Callable = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

export default {
  async fetch(request, env) {
    const { binding, name, method, args } = await request.json<ObjectCall>();
    try {
      const object = env[binding].getByName(name) as unknown as Callable;
      return Response.json({ answer: (await object[method]!(...args)) ?? null });
    } catch (cause) {
      return Response.json({ fault: String(cause) });
    }
  },
} satisfies ExportedHandler<Env>;

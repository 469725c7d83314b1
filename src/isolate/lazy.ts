/**
 * Creates a value when it is first needed, and keeps it. Every redirect of a new isolate waits for what the Worker
 * creates as it loads, so all schemas are created in this way: a redirect needs none of them, and together they took a
 * third of the start.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined;
  return () => (made ??= { thing: make() }).thing;
}

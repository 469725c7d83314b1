/**
 * Creates a value when it is first needed. Every redirect of a new isolate waits for what the Worker creates as it
 * loads.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined;
  return () => (made ??= { thing: make() }).thing;
}

/** Makes a thing when it is first asked for: what a Worker makes as it loads, every redirect of a new isolate waits for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined;
  return () => (made ??= { thing: make() }).thing;
}

/**
 * What each local workerd has: no port but its own, no doors for developers, by which a web page could read or run
 * something, no sample of `request.cf` from the internet, and no line for each request.
 */
export const LOCAL_MINIFLARE = {
  port: 0,
  cf: false,
  logRequests: false,
  unsafeLocalExplorer: false,
  unsafeObservability: false,
  unsafeTriggerHandlers: false,
} as const;

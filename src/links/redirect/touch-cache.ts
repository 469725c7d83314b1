/** Reads a key that was never read before, so that no cache in front of KV can answer. Throws if KV does. */
export async function touchCache(kv: KVNamespace): Promise<void> {
  const text = await kv.get(`health:${crypto.randomUUID()}`);
  if (text !== null) throw new TypeError('KV has something where nothing was ever put');
}

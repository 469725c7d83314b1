/** Reads the beginning of a response, since a server can send any number of bytes. Never throws. */
export async function readStart({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body === null) return Buffer.alloc(0);
  const reader = body.getReader();
  try {
    while (size < maxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch {
    // What came before the connection ended is kept.
  }
  reader.cancel().catch(() => {});
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

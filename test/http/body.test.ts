import { describe, expect, it } from 'vitest';
import { readBytes, readChunks } from '../../src/http/body.ts';

const KIB = 1024;

/** A body that arrives a byte at a time, as a sender can choose. */
function byteByByte(bytes: number): Request {
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      sent += 1;
      controller.enqueue(Uint8Array.of(0x61));
      if (sent === bytes) controller.close();
    },
  });
  return new Request('http://localhost/', { method: 'POST', body });
}

describe('a body that comes a byte at a time', () => {
  it('a body that comes a byte at a time is held in as few buffers as one that arrives at once, without unused memory', async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChunks(byteByByte(100 * KIB), { maxBytes: 200 * KIB })) chunks.push(chunk);
    const joined = Buffer.concat(chunks);
    expect(joined.equals(Buffer.alloc(100 * KIB, 'a'))).toBe(true);
    expect(chunks.length).toBeLessThanOrEqual(7);
    expect(chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThanOrEqual(112 * KIB);
  });

  it('a body that comes a byte at a time is read only up to its bound', async () => {
    const read = readChunks(byteByByte(100 * KIB), { maxBytes: 20 * KIB }).next();
    await expect(read).rejects.toMatchObject({ code: 'body_too_large' });
  });
});

it.each([['with its length'], ['without it']])(
  'a body of 64 KiB that is announced %s but not sent takes the memory of a piece alone',
  async (how) => {
    const room: number[] = [];
    const body = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        room.push(controller.byobRequest?.view?.byteLength ?? 0);
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    const headers = how === 'with its length' ? { 'Content-Length': String(64 * KIB) } : {};
    const request = new Request('http://localhost/', { method: 'POST', body, headers });
    await readBytes(request, { maxBytes: 64 * KIB }).catch(() => undefined);
    expect(room.length).toBeGreaterThan(0);
    expect(Math.max(...room)).toBeLessThanOrEqual(16 * KIB + 1);
  },
);

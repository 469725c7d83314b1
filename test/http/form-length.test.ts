import { describe, expect, it } from 'vitest';
import {
  CREATORS,
  MULTIPART,
  expectFailure,
  multipart,
  seedCaller,
  smallestForm,
  storedLinks,
} from '../support/forms.ts';
import { call, openIsolate } from '../support/service.ts';

const LIMIT = 64 * 1024;
const TOO_LARGE = 'body_too_large: The body may be at most 65536 bytes long.';

const inChunks = (body: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += 1000) controller.enqueue(body.subarray(at, at + 1000));
      controller.close();
    },
  });

/** A good form, as long as it is asked to be: the rest is a header line that no one reads. */
function paddedTo(length: number, clientId: string): Uint8Array {
  const pad = (size: number) => {
    const [first, ...others] = smallestForm(clientId);
    return multipart([{ ...first!, more: `\r\nX-Padding: ${'x'.repeat(size)}` }, ...others]);
  };
  return pad(length - pad(0).length);
}

describe.each(CREATORS)('POST $path', ({ path, headersOf }) => {
  async function send(body: BodyInit): Promise<Response> {
    const headers = { ...headersOf(await seedCaller()), 'Content-Type': MULTIPART };
    return call(path, { method: 'POST', headers, body });
  }

  it('a form that ends before its end is refused', async () => {
    const body = new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(multipart(smallestForm('a')).slice(0, 40));
        controller.error(new Error('Network connection lost.'));
      },
    });
    const before = await storedLinks();
    const headers = { ...headersOf(await seedCaller()), 'Content-Type': MULTIPART };
    const response = await openIsolate()(path, { method: 'POST', headers, body });
    await expectFailure(response, 400, 'malformed_body: The body is incomplete. Send all of it.');
    expect(await storedLinks()).toEqual(before);
  });

  it.each<[how: string, toBody: (body: Uint8Array) => BodyInit]>([
    ['with its length announced', (body) => body],
    ['in chunks of unknown number', inChunks],
  ])('a create takes a body of 64 KiB %s, and not a byte more', async (_how, toBody) => {
    const caller = await seedCaller();
    const headers = { ...headersOf(caller), 'Content-Type': MULTIPART };
    const post = (length: number) =>
      call(path, { method: 'POST', headers, body: toBody(paddedTo(length, caller.clientId)) });

    const before = await storedLinks();
    await expectFailure(await post(LIMIT + 1), 413, TOO_LARGE);
    expect(await storedLinks()).toEqual(before);
    expect((await post(LIMIT)).status).toBe(200);
    expect(await storedLinks()).toEqual({ links: before.links + 1, addresses: before.addresses + 1 });
  });

  it('a create refuses 10,000 fields by the size of the body', async () => {
    const before = await storedLinks();
    const fields = Array.from({ length: 10_000 }, (_, index) => ({ name: `f${index}`, value: '' }));
    await expectFailure(await send(multipart(fields)), 413, TOO_LARGE);
    expect(await storedLinks()).toEqual(before);
  });

  it('a create stops reading a body that never ends', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        sent += 4096;
        if (sent > 64 * LIMIT) controller.close();
        else controller.enqueue(new Uint8Array(4096));
      },
    });
    await expectFailure(await send(endless), 413, TOO_LARGE);
    expect(sent).toBeLessThan(4 * LIMIT);
  });
});

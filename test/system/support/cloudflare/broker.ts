import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize } from 'node:v8';
import { closeServer } from './api.ts';
import type { Consumer, Message, Queue } from './queue-state.ts';
import { newId, type Account } from './state.ts';

/** Takes messages from Workers and delivers them to Workers: https://developers.cloudflare.com/queues/ */
export interface Broker {
  /** The address for `bindFar`. */
  readonly address: string;
  /** Delivers what waits, if the queue has a consumer: at once if a batch is full, else after the time it waits for more. */
  schedule(account: Account, queue: Queue): void;
  /**
   * Resolves once no message that has a consumer waits or is being delivered. Those that are retried later do not count,
   * and those that a Worker sends after its response may not have been sent yet.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The result of a batch in a Worker, as Miniflare reports it. */
export interface Outcome {
  readonly outcome: string;
  readonly retryBatch: { readonly retry: boolean; readonly delaySeconds?: number };
  readonly retryMessages: readonly { readonly msgId: string; readonly delaySeconds?: number }[];
}

type Deliver = (account: Account, script: string, queue: string, batch: readonly Message[]) => Promise<Outcome>;

/** The header that says for which queue a message is: `ACCOUNT/NAME`. */
export const QUEUE_HEADER = 'X-Queue';

export async function startBroker(accounts: readonly Account[], deliver: Deliver): Promise<Broker> {
  const timers = new Map<Queue, NodeJS.Timeout>();
  const delayed = new Set<NodeJS.Timeout>();
  const running = new Set<Queue>();
  let waiting: (() => void)[] = [];
  let isClosed = false;

  const server = createServer((request, response) => {
    void buffer(request)
      .then((body) => {
        const [accountId, name] = String(request.headers[QUEUE_HEADER.toLowerCase()]).split('/');
        const account = accounts.find(({ id }) => id === accountId);
        const queue = account?.queues.find(({ queue_name }) => queue_name === name);
        if (account === undefined || queue === undefined) return response.writeHead(404).end('Queue not found');
        for (const sent of sentMessages(request.url ?? '', request.headers, body)) accept(account, queue, sent);
        const metrics = { backlogCount: queue.messages.length, backlogBytes: 0, oldestMessageTimestamp: 0 };
        response.setHeader('Content-Type', 'application/json');
        return response.end(JSON.stringify({ metadata: { metrics } }));
      })
      .catch((error: unknown) => {
        console.error('A message for the stub cannot be read:', error);
        response.writeHead(400).end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function accept(account: Account, queue: Queue, { body, delaySeconds = queue.settings.delivery_delay }: Sent): void {
    later(account, queue, { id: newId(), timestamp: new Date(), body, attempts: 0 }, delaySeconds);
  }

  function later(account: Account, queue: Queue, message: Message, delaySeconds: number): void {
    const enqueue = () => {
      queue.messages.push(message);
      schedule(account, queue);
    };
    if (delaySeconds === 0) return enqueue();
    const timer = setTimeout(() => {
      delayed.delete(timer);
      enqueue();
    }, delaySeconds * 1000);
    delayed.add(timer);
  }

  function schedule(account: Account, queue: Queue): void {
    const [consumer] = queue.consumers;
    if (isClosed || consumer === undefined || running.has(queue)) return;
    if (queue.messages.length === 0 || queue.settings.delivery_paused) return;
    const { batch_size: size, max_wait_time_ms: wait } = consumer.settings;
    if (queue.messages.length >= size) {
      clearTimeout(timers.get(queue));
      timers.delete(queue);
      void flush(account, queue, consumer);
    } else if (!timers.has(queue)) {
      const flushLater = () => {
        timers.delete(queue);
        void flush(account, queue, consumer);
      };
      timers.set(queue, setTimeout(flushLater, wait));
    }
  }

  async function flush(account: Account, queue: Queue, consumer: Consumer): Promise<void> {
    running.add(queue);
    const batch = queue.messages.splice(0, consumer.settings.batch_size);
    for (const message of batch) message.attempts++;
    const outcome = await deliver(account, consumer.script, queue.queue_name, batch).catch(() => FAILED);
    running.delete(queue);
    if (isClosed) return;
    for (const message of batch) settle(account, queue, consumer, message, outcome);
    schedule(account, queue);
    tell();
  }

  function settle(account: Account, queue: Queue, consumer: Consumer, message: Message, outcome: Outcome): void {
    const retry = outcome.retryMessages.find(({ msgId }) => msgId === message.id);
    if (retry === undefined && outcome.outcome === 'ok' && !outcome.retryBatch.retry) return;
    const delaySeconds = retry?.delaySeconds ?? outcome.retryBatch.delaySeconds ?? consumer.settings.retry_delay;
    if (message.attempts <= consumer.settings.max_retries) return later(account, queue, message, delaySeconds);
    const dead = account.queues.find(({ queue_name }) => queue_name === consumer.dead_letter_queue);
    if (dead !== undefined) later(account, dead, { ...message, attempts: 0 }, 0);
  }

  const isEmpty = ({ consumers, messages }: Queue) => consumers.length === 0 || messages.length === 0;
  const isSettled = () => running.size === 0 && accounts.every(({ queues }) => queues.every(isEmpty));

  function tell(): void {
    if (!isSettled()) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    schedule,
    settled: () => new Promise((resolve) => (waiting.push(resolve), tell())),
    async close() {
      isClosed = true;
      for (const timer of [...timers.values(), ...delayed]) clearTimeout(timer);
      await closeServer(server);
    },
  };
}

const FAILED: Outcome = { outcome: 'exception', retryBatch: { retry: true }, retryMessages: [] };

interface Sent {
  readonly body: unknown;
  readonly delaySeconds?: number;
}

/** Reads the messages that workerd sends for `send` and for `sendBatch`. */
function sentMessages(url: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): Sent[] {
  const delay = headers['x-msg-delay-secs'];
  const preset = delay === undefined ? {} : { delaySeconds: Number(delay) };
  if (!url.endsWith('/batch')) return [{ body: decode(String(headers['x-msg-fmt'] ?? 'v8'), body), ...preset }];
  const { messages } = JSON.parse(body.toString()) as {
    messages: { body: string; contentType?: string; delaySecs?: number }[];
  };
  return messages.map(({ body, contentType = 'v8', delaySecs }) => ({
    body: decode(contentType, Buffer.from(body, 'base64')),
    ...(delaySecs === undefined ? preset : { delaySeconds: delaySecs }),
  }));
}

function decode(format: string, body: Buffer): unknown {
  if (format === 'json') return JSON.parse(body.toString());
  if (format === 'text') return body.toString();
  return format === 'v8' ? deserialize(body) : body;
}

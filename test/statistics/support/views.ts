import { expect } from 'vitest';
import type { FeedLine } from '../../../src/statistics/live/view.ts';

/** A view of an object, read a line at a time. */
interface Lines {
  /** Null at the end. */
  readonly next: () => Promise<FeedLine | null>;
  readonly take: (count: number) => Promise<FeedLine[]>;
  readonly stop: () => Promise<void>;
}

export function linesOf(stream: ReadableStream<Uint8Array> | null): Lines {
  if (stream === null) throw new Error('there are too many views');
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  const next: Lines['next'] = async () => {
    while (!waiting.includes('\n')) {
      const { value } = await reader.read();
      if (value === undefined) return null;
      waiting += decoder.decode(value, { stream: true });
    }
    const end = waiting.indexOf('\n');
    const line = waiting.slice(0, end);
    waiting = waiting.slice(end + 1);
    return line === '' ? next() : (JSON.parse(line) as FeedLine);
  };
  return {
    next,
    async take(count) {
      const lines: FeedLine[] = [];
      for (let i = 0; i < count; i++) {
        const line = await next();
        expect(line).not.toBeNull();
        lines.push(line!);
      }
      return lines;
    },
    stop: () => reader.cancel(),
  };
}

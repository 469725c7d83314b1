import { describe, expect, it } from 'vitest';
import type { Click } from '../../src/clicks/click.ts';
import { ClickGroups, type ClickGroup } from '../../src/clicks/groups.ts';
import { divide } from '../../src/clicks/messages.ts';
import { packClicks } from '../../src/clicks/pack.ts';
import { heldClick } from '../support/clicks.ts';
import { shareOf } from '../support/share.ts';

/** The bounds of a message of the queue. Source: https://developers.cloudflare.com/queues/platform/limits/ */
const MESSAGE_BYTES = 128_000;

function bytesOf(groups: readonly ClickGroup[]): number {
  return Buffer.byteLength(JSON.stringify(packClicks(groups, () => 'salt')));
}

function countClicks(groups: readonly ClickGroup[]): number {
  return groups.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** Clicks as a buffer gathers them, divided into messages. */
function messagesOf(count: number, clickAt: (i: number) => Partial<Click>): ClickGroup[][] {
  const groups = new ClickGroups();
  for (let i = 1; i <= count; i++) {
    const [country, languages, address] = ['AT', 'de-AT', `198.51.100.${i % 256}`];
    groups.add(heldClick({ at: 1_790_000_000_000 + (i % 1000), country, languages, address, ...clickAt(i) }));
  }
  return divide(groups.list());
}

describe('a message', () => {
  const MANY = 40_000;
  // As many clicks with long texts fill more messages than many short ones, and take long to be packed.
  const SOME = 8000;
  const longHost = (i: number) => `https://${`${i}`.padStart(9, 'a')}.${'b'.repeat(60)}.${'c'.repeat(60)}.example/`;

  it.each(
    shareOf<[what: string, clickAt: (i: number) => Partial<Click>, clicks?: number]>([
      ['nothing known but the link', (i) => ({ linkId: `link-${i}` })],
      ['an address each', (i) => ({ address: `2001:db8:1234:5678:9abc:def0:${i}:${i}` })],
      ['short user agents', (i) => ({ userAgent: `Agent/${i}` })],
      ['user agents of 400 letters of two bytes', (i) => ({ userAgent: `${i}${'ü'.repeat(400)}` }), SOME],
      ['user agents of 400 letters of three bytes', (i) => ({ userAgent: `${i}${'語'.repeat(400)}` }), SOME],
      ['user agents of 400 quotation marks', (i) => ({ userAgent: `${i}${'"'.repeat(400)}` }), SOME],
      ['user agents of 400 control characters', (i) => ({ userAgent: `${i}${'\u0001'.repeat(400)}` }), SOME],
      ['user agents cut within a surrogate pair', (i) => ({ userAgent: `${1000 + i}x${'😀'.repeat(400)}` }), SOME],
      ['campaigns of 128 letters of three bytes', (i) => ({ campaignName: `${1000 + i}${'語'.repeat(124)}` }), SOME],
      ['long referrers', (i) => ({ referrer: longHost(i) }), SOME],
      ['the same long referrer', (i) => ({ linkId: `link-${i}`, referrer: longHost(0) })],
      ['long client ids', (i) => ({ linkId: `link-${i}`, clientId: `${i}`.padStart(64, 'c') })],
      [
        'everything as long as may be',
        (i) => ({
          linkId: `link-${i}`,
          clientId: 'c'.repeat(64),
          campaignName: '語'.repeat(128),
          referrer: longHost(i),
          userAgent: `${i}${'語'.repeat(400)}`,
        }),
        SOME,
      ],
    ]),
  )('a message of clicks fits the queue, and is worth sending, with %s', (_, clickAt, clicks = MANY) => {
    const messages = messagesOf(clicks, clickAt);
    const sizes = messages.map(bytesOf);
    expect(countClicks(messages.flat())).toBe(clicks);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(MESSAGE_BYTES);
    // Not one message a click either: what fills a message is at least a fifth of what it may hold.
    expect(Math.max(...sizes)).toBeGreaterThan(MESSAGE_BYTES / 5);
  });
});

describe('the visitors of one link', () => {
  it('the visitors of one link come in several messages where they are too many for one, each of them once', () => {
    const messages = messagesOf(30_000, (i) => ({ address: `2001:db8::${(i % 20_000).toString(16)}` }));
    expect(messages.length).toBeGreaterThan(1);
    expect(Math.max(...messages.map(bytesOf))).toBeLessThan(MESSAGE_BYTES);
    const groups = messages.flat();
    expect(countClicks(groups)).toBe(30_000);
    expect(groups.flatMap(({ addresses }) => [...addresses])).toHaveLength(20_000);
    expect(new Set(groups.flatMap(({ addresses }) => [...addresses])).size).toBe(20_000);
    expect(groups.every(({ clicks, addresses }) => clicks >= addresses.size)).toBe(true);
  });

  it('the visitors of one link are one group where they are few', () => {
    expect(messagesOf(30_000, () => ({}))).toEqual([[expect.objectContaining({ clicks: 30_000 })]]);
  });
});

describe('no clicks', () => {
  it('a list of no clicks is no message', () => {
    expect(divide([])).toEqual([]);
  });
});

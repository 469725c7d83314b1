import { describe, expect, it, vi } from 'vitest';
import { withUtm } from '../../src/links/destinations/utm.ts';

const utm = { utm_source: 'x y' };

describe('parameters of a destination', () => {
  it.each([
    ['https://e.example/', 'https://e.example/?utm_source=x%20y'],
    ['https://e.example/?a=1&utm_source=old#part', 'https://e.example/?a=1&utm_source=x%20y#part'],
    ['no URL', 'no URL'],
    ['HTTP://e.example/', 'HTTP://e.example/?utm_source=x%20y'],
    ['tel:+15550100', 'tel:+15550100'],
    ['myapp://open?a=1', 'myapp://open?a=1'],
    ['https://e.example/?utm_source=old', 'https://e.example/?utm_source=x%20y'],
  ])('parameters of a destination are put into %s', (url, expected) => {
    expect(withUtm(url, utm)).toBe(expected);
  });

  it('parameters of a destination are not put into a text that is longer than a destination may be, and nothing is read of it', () => {
    const canParse = vi.spyOn(URL, 'canParse');
    const url = `https://e.example/?${'a&'.repeat(100_000)}`;
    expect(withUtm(url, utm)).toBe(url);
    expect(canParse).not.toHaveBeenCalled();
    canParse.mockRestore();
  });
});

import { expect, it } from 'vitest';
import { BoundedMap } from '../../src/isolate/bounded-map.ts';

it('drops the entry that was set the longest ago, one for each beyond its bound', () => {
  const map = new BoundedMap<string, number>(2);
  const values = () => ['a', 'b', 'c', 'd'].map((key) => map.get(key));
  map.set('a', 1);
  map.set('b', 2);
  expect(values()).toEqual([1, 2, undefined, undefined]);
  map.set('c', 3);
  expect(values()).toEqual([undefined, 2, 3, undefined]);
  map.set('b', 4);
  map.set('d', 5);
  expect(values()).toEqual([undefined, 4, undefined, 5]);
  map.delete('b');
  map.set('a', 6);
  expect(values()).toEqual([6, undefined, undefined, 5]);
});

import { expect, it } from 'vitest';
import { derivedEventId } from '../../src/events/record.ts';

it('the id of an event that follows from what it reports is the same in each version of the service', () => {
  // printf '["import","c","i"]' | sha256sum | head -c 32
  expect(derivedEventId(['import', 'c', 'i'])).toBe('evt_5b5beee1bc6ea29f32959ea5aa3b416e');
});

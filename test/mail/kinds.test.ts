import { expect, it } from 'vitest';
import { lifetimeOf } from '../../src/mail/kinds.ts';

it.each([
  ['a mail with a link for an hour', 1, ['confirm', 'reset']],
  ['an invite for as long as it is valid', 72, ['invite']],
  ['a warning for two days', 48, ['unconfirmed', 'key_expires']],
  ['a notice of what has happened for a day', 24, ['new_device', 'password_changed', 'factors_reset', 'domain_lost']],
] as const)('the service tries %s', (_, hours, kinds) => {
  expect(kinds.map(lifetimeOf)).toEqual(kinds.map(() => hours * 3_600_000));
});

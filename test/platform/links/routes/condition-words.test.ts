import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { conditionTypes, explainCondition, type Condition } from '../../../../src/links/routes/conditions/table.ts';
import { linkRules } from '../../../../src/links/routes/rules.ts';
import { typeOf, wordsOfCondition } from '../../../../src/platform/links/routes/condition-words.ts';
import { wordsIn } from '../../../../src/platform/words.tsx';
import { arbitraryRules } from '../../../support/arbitrary-rules.ts';

/** Conditions in words, on the pages. */

const WORDS = await wordsIn('en');
const TYPES = Object.keys(conditionTypes) as Condition['type'][];

it('conditions are said in English on the pages as the API says them', () => {
  fc.assert(
    fc.property(arbitraryRules, (given) => {
      for (const condition of linkRules()
        .parse(given)
        .flatMap((rule) => rule.if)) {
        expect(wordsOfCondition(WORDS, condition)).toBe(explainCondition(condition));
      }
    }),
  );
});

it.each<object>([
  { type: 'language', in: ['*'] },
  { type: 'language', in: ['*', 'de'], not: true },
  { type: 'country', in: 'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW'.split(' ') },
  { type: 'visitor', in: ['human', 'bot', 'preview'] },
  { type: 'device', in: ['mobile', 'tablet', 'desktop'] },
  { type: 'referrer', in: ['example.com', 'a.example'] },
  { type: 'date', from: '2027-01-01T00:00:00.000Z', until: '2027-02-01T09:30:15.000Z', not: true },
  { type: 'hours', days: ['mon', 'sun'], from: '09:00', until: '17:00', tz: 'Europe/Berlin', not: true },
  { type: 'moon', in: ['full'] },
])('a condition is said in English on the pages as the API says it: %j', (condition) => {
  expect(wordsOfCondition(WORDS, condition as Condition)).toBe(explainCondition(condition as Condition));
});

it.each(TYPES)('the type %s of conditions has the same English name on the pages as in the API', (type) => {
  expect(typeOf(WORDS, type)).toBe(conditionTypes[type].label);
});

import { lazy } from '../../../isolate/lazy.ts';
import { listType } from './condition-type.ts';
import { ANY } from './language-range.ts';
import { haveCommon } from './values.ts';

export const language = listType({
  type: 'language',
  label: 'Language',
  fits: (ranges) => {
    const small = new Set(Array.from(ranges, (range) => range.toLowerCase()));
    if (small.has(ANY)) return ({ language }) => language !== null;
    return ({ languageRanges }) => haveCommon(small, languageRanges);
  },
  nameOf: (range) => (range === ANY ? 'known' : nameOfRange(range)),
});

// The platform refuses ranges with extensions and subtags of private use.
function nameOfRange(range: string): string {
  try {
    return names().of(range) ?? range;
  } catch {
    return range;
  }
}

const names = lazy(
  () => new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', fallback: 'code' }),
);

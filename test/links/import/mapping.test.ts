import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../src/links/import/mapping.ts';

describe('the columns of a file that a caller names', () => {
  it('the columns of a file that a caller names are parameters of an import, with all that follows the first "="', () => {
    expect(readMapping(['url=Long link', 'title=a=b'])).toEqual({ map_url: 'Long link', map_title: 'a=b' });
    expect(readMapping([])).toEqual({});
  });

  it.each(['url', 'urls', 'url=', '=Long link', 'colour=Long link', 'constructor=Long link'])(
    'the columns of a file that a caller names are refused as %j',
    (word) => {
      expect(readMapping([word])).toMatch(
        /^--map takes a field and a column, such as url="Long link"; the fields are /,
      );
    },
  );

  it('the columns of a file that a caller names are refused where a field has two', () => {
    expect(readMapping(['url=A', 'url=B'])).toBe('--map names two columns for url.');
  });
});

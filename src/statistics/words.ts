import { DIMENSIONS, LINK, OTHER, OTHER_WORD, UNKNOWN, VIA_WORDS, type Dimension } from './facts.ts';
import { PART, partsOf } from './parts.ts';

/** The words of facts, and their numbers. */

/** The number of words that a day may add where visitors choose the word; clicks of further words count as `other`. */
export const MAX_NEW_WORDS: Partial<Readonly<Record<Dimension, number>>> = {
  referrer: 5000,
  language: 500,
  via: 1000,
  utm_medium: 1000,
  utm_campaign: 1000,
};

/** The words of a dimension that have the same number in every object, without a row. */
function ownWords(dimension: Dimension): (readonly [word: string, number: number])[] {
  const own = dimension === 'via' ? VIA_WORDS : [];
  return [[OTHER_WORD, OTHER], ...own.map((word, index) => [word, LINK + index] as const)];
}

/** Words with their clicks. */
type Wanted = ReadonlyMap<string, number>;

interface WordRow extends Record<string, SqlStorageValue> {
  readonly word: string;
  readonly id: number;
}

/** Gives the number of a word, or of null. */
export type NumberOf = (word: string | null) => number;

/**
 * Finds the numbers of words, and adds those that are new, the most clicked first, within the limit of a day.
 *
 * @param today days since the epoch
 */
export function addWords(
  sql: SqlStorage,
  dimension: Dimension,
  wanted: Wanted,
  today: number,
  limit = MAX_NEW_WORDS[dimension] ?? Number.POSITIVE_INFINITY,
): NumberOf {
  const numbers = findWords(sql, dimension, [...wanted.keys()]);
  const fresh = [...wanted].filter(([word]) => !numbers.has(word)).toSorted(([, a], [, b]) => b - a);
  if (fresh.length > 0) {
    for (const [word, number] of insertWords(
      sql,
      dimension,
      fresh.map(([word]) => word),
      today,
      limit,
    ))
      numbers.set(word, number);
  }
  return (word) => (word === null ? UNKNOWN : (numbers.get(word) ?? OTHER));
}

/** The numbers of those words that have been counted. */
export function findWords(sql: SqlStorage, dimension: Dimension, words: readonly string[]): Map<string, number> {
  const place = DIMENSIONS.indexOf(dimension);
  const rows = partsOf(words).flatMap((part) =>
    sql
      .exec<WordRow>(
        'SELECT word, id FROM words WHERE dimension = ?1 AND word IN (SELECT value FROM json_each(?2))',
        place,
        part,
      )
      .toArray(),
  );
  return new Map([...ownWords(dimension), ...rows.map(({ word, id }) => [word, id] as const)]);
}

/** The words of numbers, by number. */
export function readWords(sql: SqlStorage, dimension: Dimension, numbers: readonly number[]): Map<number, string> {
  const rows = partsOf(numbers).flatMap((part) =>
    sql
      .exec<WordRow>(
        'SELECT word, id FROM words WHERE dimension = ?1 AND id IN (SELECT value FROM json_each(?2))',
        DIMENSIONS.indexOf(dimension),
        part,
      )
      .toArray(),
  );
  return new Map([
    [UNKNOWN, ''] as const,
    ...ownWords(dimension).map(([word, number]) => [number, word] as const),
    ...rows.map(({ word, id }) => [id, word] as const),
  ]);
}

function insertWords(
  sql: SqlStorage,
  dimension: Dimension,
  words: readonly string[],
  today: number,
  limit: number,
): Map<string, number> {
  const place = DIMENSIONS.indexOf(dimension);
  const [used] = sql.exec<{ words: number }>(
    'SELECT words FROM new_words WHERE day = ?1 AND dimension = ?2',
    today,
    place,
  );
  const added = words.slice(0, Math.max(0, limit - (used?.words ?? 0)));
  if (added.length === 0) return new Map();
  const { last } = sql
    .exec<{ last: number }>(
      'SELECT coalesce(max(id), ?2) AS last FROM words WHERE dimension = ?1',
      place,
      Math.max(...ownWords(dimension).map(([, number]) => number)),
    )
    .one();
  for (const [index, part] of partsOf(added).entries()) {
    sql.exec(
      'INSERT INTO words (dimension, id, word, day) SELECT ?1, ?2 + 1 + key, value, ?3 FROM json_each(?4)',
      place,
      last + index * PART,
      today,
      part,
    );
  }
  if (Number.isFinite(limit)) {
    sql.exec(
      'INSERT INTO new_words (day, dimension, words) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET words = words + excluded.words',
      today,
      place,
      added.length,
    );
  }
  return new Map(added.map((word, index) => [word, last + 1 + index]));
}

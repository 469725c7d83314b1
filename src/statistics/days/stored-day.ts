import { ByteReader, ByteWriter } from '../bytes.ts';
import { withUnknownSources, type Day } from './day.ts';
import { CLICKS, FIRST_WORD, HOUR, KIND, KINDS, placeOf, UNKNOWN, type Fact } from '../facts.ts';
import { FIRST_OF_SOURCE, packSources, setSource, SourceReader, UNKNOWN_SOURCE } from '../sources.ts';
import { EVERY_SUM, SUMMED, type Counts, type Summed, type Sums } from './sums.ts';

/**
 * A day as bytes: a format, whether facts say the hour, the number of facts, the facts, the sums, then the sources of the
 * facts. A fact begins with its kind and hour in one number; then come its words and its clicks. It takes some 10 to 12
 * bytes. Version 1.3.0 skips the sums of sources, and what follows the sums.
 */
const FORMAT = 1;

export function packDay({ facts, hasHours, sums }: Day): Uint8Array<ArrayBuffer> {
  const bytes = new ByteWriter();
  bytes.number(FORMAT);
  bytes.number(hasHours ? 1 : 0);
  bytes.number(facts.length);
  for (const fact of facts) packFact(bytes, fact);
  bytes.number(sums.size);
  for (const [by, values] of sums) {
    bytes.number(SUMMED.indexOf(by));
    packSums(bytes, values);
  }
  packSources(bytes, facts);
  return bytes.take();
}

/** @param wanted the sums that are needed, if others can be left out */
export function unpackDay(packed: ArrayBuffer, wanted: ReadonlySet<Summed> = EVERY_SUM): Day {
  const bytes = new ByteReader(packed);
  if (bytes.number() !== FORMAT) throw new Error('a day of statistics has a format that is not known');
  const hasHours = bytes.number() === 1;
  const facts = Array.from({ length: bytes.number() }, () => unpackFact(bytes));
  const sums = new Map<Summed, Sums>();
  for (let left = bytes.number(); left > 0; left--) {
    const by = SUMMED[bytes.number()]!;
    if (wanted.has(by)) sums.set(by, unpackSums(bytes));
    else skipSums(bytes);
  }
  const sources = new SourceReader(bytes);
  for (const fact of facts) setSource(fact, sources.next());
  return withUnknownSources({ facts, hasHours, sums }, wanted);
}

// Most links have no destinations to choose from, and many no campaign: those words, the last ones before the source, are
// left out if both are unknown.
const FIRST_RARE = placeOf('destination');

function packFact(bytes: ByteWriter, fact: Fact): void {
  bytes.number(fact[HOUR]! * KINDS.length + fact[KIND]!);
  for (let place = FIRST_WORD; place < FIRST_RARE; place++) bytes.number(fact[place]!);
  const hasRare = fact.slice(FIRST_RARE, FIRST_OF_SOURCE).some((word) => word !== UNKNOWN);
  bytes.number(fact[CLICKS]! * 2 + (hasRare ? 1 : 0));
  if (hasRare) for (let place = FIRST_RARE; place < FIRST_OF_SOURCE; place++) bytes.number(fact[place]!);
}

/** Reads a fact, whose source is not known yet. */
function unpackFact(bytes: ByteReader): Fact {
  const head = bytes.number();
  const fact: Fact = [Math.floor(head / KINDS.length), head % KINDS.length];
  for (let place = FIRST_WORD; place < FIRST_RARE; place++) fact.push(bytes.number());
  const clicks = bytes.number();
  for (let place = FIRST_RARE; place < FIRST_OF_SOURCE; place++) fact.push(clicks % 2 === 1 ? bytes.number() : UNKNOWN);
  fact.push(...UNKNOWN_SOURCE, Math.floor(clicks / 2));
  return fact;
}

// Most values have clicks of one kind only, so that each is stored as `value and kind, clicks`.
function packSums(bytes: ByteWriter, sums: Sums): void {
  const entries = [...sums].flatMap(([value, counts]) =>
    counts.flatMap((clicks, kind) => (clicks > 0 ? [[value * KINDS.length + kind, clicks] as const] : [])),
  );
  bytes.number(entries.length);
  for (const [head, clicks] of entries) {
    bytes.number(head);
    bytes.number(clicks);
  }
}

function unpackSums(bytes: ByteReader): Sums {
  const sums: Sums = new Map();
  for (let left = bytes.number(); left > 0; left--) {
    const head = bytes.number();
    const value = Math.floor(head / KINDS.length);
    const counts = sums.get(value) ?? ([0, 0, 0] satisfies Counts);
    counts[(head % KINDS.length) as 0] = bytes.number();
    sums.set(value, counts);
  }
  return sums;
}

function skipSums(bytes: ByteReader): void {
  for (let left = 2 * bytes.number(); left > 0; left--) bytes.number();
}

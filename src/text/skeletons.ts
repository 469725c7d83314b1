import { lazy } from '../isolate/lazy.ts';
import { CONFUSABLES } from './confusables.ts';
import { decodeConfusables } from './confusables-code.ts';
import { foldCase, skeletonOf, typedLatin, withoutUnseen } from './look-alikes.ts';

/**
 * Which names look alike in any script, by UTS 39 (https://www.unicode.org/reports/tr39/). For what is named anew: a
 * redirect needs none of it. Callers bound the length of texts first.
 */

// Decoded when the first name with a letter beyond ASCII is checked.
const confusables = lazy(() => decodeConfusables(CONFUSABLES));

// Latin letters in the form of small capitals, which UTS 39 leaves as they are; some are what it maps others to.
const SMALL_CAPITALS = new Map(
  Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢʍĸ', (capital, place) => [capital, 'abcdefghijklmnopqrstuvwyzmk'.charAt(place)]),
);

const IS_ASCII = /^\p{ASCII}*$/u;
const IS_CAPITAL = /^\p{Lu}$/u;

/** The forms of a name; two names that look alike have one in common. */
interface Skeletons {
  /** The one that is kept with the name. */
  readonly own: string;
  /** All that another name must not have kept: its own, and those of other readings and of earlier versions. */
  readonly all: readonly string[];
}

/** The letters as which a stroke and a ring may be read. UTS 39 has l for I, 1 and l, and o for 0 and O. */
const READINGS = [
  { stroke: 'l', ring: 'o' },
  { stroke: 'i', ring: 'o' },
  { stroke: '1', ring: 'o' },
  { stroke: 'l', ring: '0' },
  { stroke: 'i', ring: '0' },
  { stroke: '1', ring: '0' },
] as const;

/** The skeletons of a name. Of names in ASCII, only those that differ in case alone look alike. */
export function skeletonsOf(name: string): Skeletons {
  if (IS_ASCII.test(name)) return { own: name.toLowerCase(), all: [name.toLowerCase()] };
  const text = withoutUnseen(name).normalize('NFD');
  const own = read(text, null);
  const all = [own, ...READINGS.map((reading) => read(text, reading)), skeletonOf(name)];
  // UTS 39 has rn for m.
  return { own, all: [...new Set([...all, ...all.map((each) => each.replaceAll('rn', 'm'))])] };
}

function read(text: string, reading: (typeof READINGS)[number] | null): string {
  return foldCase(Array.from(text, (character) => readCharacter(character, reading)).join('')).normalize('NFC');
}

// Without a reading, a stroke that is a capital letter is an I, and letters that keyboards can type are read as their
// small letters are; with one, as capitals: Η is H, and its small letter η is n.
function readCharacter(character: string, reading: (typeof READINGS)[number] | null): string {
  if (IS_ASCII.test(character)) return character;
  const small = foldCase(character);
  const isCapital = IS_CAPITAL.test(character);
  const typed = reading !== null && isCapital && confusables().has(character) ? undefined : typedLatin(small);
  if (typed !== undefined) return typed;
  const like = confusables().get(character) ?? confusables().get(small) ?? small;
  if (like === 'l') return reading?.stroke ?? (isCapital ? 'i' : 'l');
  if (like === 'o' || like === 'O') return reading?.ring ?? 'o';
  if (like === 'rn') return 'm';
  return Array.from(foldCase(like), (each) => typedLatin(each) ?? SMALL_CAPITALS.get(each) ?? each).join('');
}

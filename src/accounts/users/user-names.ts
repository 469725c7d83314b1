import { lazy } from '../../isolate/lazy.ts';
import { UNSEEN } from '../../text/look-alikes.ts';

// The identifier class of PRECIS (RFC 8264, section 9): letters, digits and marks of any script, and the signs of ASCII.
// Created when it is first used, since V8 parses the classes of a literal as the Worker loads.
const parts = lazy(() => {
  const part = String.raw`[!-~\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]+`;
  return new RegExp(`^${part}(?: ${part})*$`, 'u');
});
// Old Hangul, and the characters that RFC 5892 excludes in section 2.6: strokes that lengthen a word, and repetition
// marks.
const LEFT_OUT = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;
// The blocks that Unicode reserves for right-to-left scripts (UAX #9, DerivedBidiClass.txt).
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /\p{L}/u;

/**
 * True if a text may be a new user name, by UsernameCasePreserved of RFC 8265: in parts separated by one space. Wide
 * forms are refused rather than mapped, since a sign-in maps nothing. Of the Bidi rule one part is checked: a name must
 * not mix letters of both directions.
 */
export function isUserName(name: string): boolean {
  return (
    parts().test(name) &&
    name.normalize('NFKC') === name &&
    !UNSEEN.test(name) &&
    !LEFT_OUT.test(name) &&
    isOneWay(name)
  );
}

function isOneWay(name: string): boolean {
  if (!RIGHT_TO_LEFT.test(name)) return true;
  const characters = Array.from(name);
  const letters = characters.filter((character) => LETTER.test(character));
  return RIGHT_TO_LEFT.test(characters[0] ?? '') && letters.every((letter) => RIGHT_TO_LEFT.test(letter));
}

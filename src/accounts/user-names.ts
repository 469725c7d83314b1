import { UNSEEN } from '../look-alikes.ts';

// The identifier class of PRECIS (RFC 8264, section 9): letters, digits and marks of any script, and the signs of ASCII.
const PARTS =
  /^[!-~\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]+(?: [!-~\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]+)*$/u;
const OLD_HANGUL = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

/**
 * Whether a text may be a new user name, by UsernameCasePreserved of RFC 8265: in parts with one space between. Wide forms are
 * refused rather than mapped, since a sign-in maps nothing; of the Bidi rule there is that both directions do not mix.
 */
export function isUserName(name: string): boolean {
  return (
    PARTS.test(name) &&
    name.normalize('NFKC') === name &&
    !UNSEEN.test(name) &&
    !OLD_HANGUL.test(name) &&
    isOneWay(name)
  );
}

function isOneWay(name: string): boolean {
  if (!RIGHT_TO_LEFT.test(name)) return true;
  const letters = Array.from(name).filter((character) => LETTER.test(character));
  return RIGHT_TO_LEFT.test(name.charAt(0)) && letters.every((letter) => RIGHT_TO_LEFT.test(letter));
}

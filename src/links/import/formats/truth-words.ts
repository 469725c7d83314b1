/**
 * The words for true and false: of TRUE and FALSE, as spreadsheets write them in the languages of their users, and of yes
 * and no. Source: the functions TRUE and FALSE of Excel and LibreOffice in each language.
 */

// English, German, Dutch, French, Spanish, Portuguese, Italian, Catalan, Romanian, Polish, Czech, Slovak, Slovenian,
// Croatian, Hungarian, Danish, Norwegian, Swedish, Finnish, Estonian, Latvian, Lithuanian, Turkish, Greek, Russian,
// Ukrainian, Bulgarian, Indonesian.
const TRUE =
  'true wahr waar vrai verdadero verdadeiro vero cert adevărat prawda pravda resnica istina igaz sand sann sant tosi ' +
  'tõene patiess teisinga doğru αληθησ истина істина benar';
const FALSE =
  'false falsch onwaar faux falso fals fałsz nepravda neresnica lažno hamis falsk usann falskt epätosi ' +
  'väär aplams netiesa yanliş yanlış ψευδησ ложь хибність хибнiсть неистина salah';

const YES = 'yes on ja oui sí si sim sì tak ano áno da igen kyllä jah jā taip evet ναι да так ya 1 1.0 1,0';
const NO = 'no off nein nee nej nei non não nao nie ne nem ei nē hayır όχι нет ні не nu tidak 0 0.0 0,0';

const wordsIn = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(' ')).map(folded));

const TRUE_WORDS = wordsIn(TRUE, YES);
const FALSE_WORDS = wordsIn(FALSE, NO);

const LONGEST = 16;

/** True if a word says true, false if it says false; null if it says neither. */
export function truthOf(text: string): boolean | null {
  if (text.length > LONGEST) return null;
  const word = folded(text);
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

// In any case and without accents, so that the dotless i of Turkish and the last sigma of Greek are no words of their own.
function folded(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').replaceAll('ı', 'i');
}

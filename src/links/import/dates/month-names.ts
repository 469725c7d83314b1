/**
 * The names of months in the languages of most files, in full and abbreviated, in lower case and without accents and
 * dots. Source: the Unicode CLDR, https://cldr.unicode.org, for English, German, Dutch, French, Spanish, Portuguese,
 * Italian, Polish, Swedish, Danish and Norwegian.
 */
const NAMES = [
  'january jan januar janner januari janvier janv enero ene janeiro gennaio gen stycznia styczen sty',
  'february feb februar februari fevrier fevr febrero fevereiro fev febbraio lutego luty lut',
  'march mar marz mrz maart mrt mars marzo marco marca marzec marts',
  'april apr avril avr abril abr aprile kwietnia kwiecien kwi',
  'may mai mei mayo maio mag maggio maja maj',
  'june jun juni juin junio junho giugno giu czerwca czerwiec cze',
  'july jul juli juillet juil julio julho luglio lug lipca lipiec lip',
  'august aug augustus aout agosto ago sierpnia sierpien sie augusti',
  'september sep sept septembre septiembre setembro set settembre wrzesnia wrzesien wrz',
  'october oct oktober okt octobre octubre outubro out ottobre ott pazdziernika pazdziernik paz',
  'november nov novembre noviembre novembro listopada listopad lis',
  'december dec dezember dez decembre diciembre dic dezembro dicembre grudnia grudzien gru desember des',
].map((names) => names.split(' '));

const NUMBERS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.map((name): [string, number] => [name, index + 1])),
);

/** The number of a month, from 1; null if the word is none. */
export function monthOf(word: string): number | null {
  const folded = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return NUMBERS.get(folded) ?? null;
}

import { lazy } from '../isolate/lazy.ts';

/**
 * The character references of HTML: those by number, and the named ones of HTML 4, in which pages that have any are
 * written. All 2,231 names of HTML would take 20 KiB, compressed.
 */

const REFERENCE = /&(?:#x([\da-f]{1,8})|#(\d{1,8})|([a-z][a-z\d]{1,8}))(;?)/gi;

/** Decodes the references in a text of HTML. An unknown one stays as it is. */
export function decodeEntities(html: string): string {
  return html.replaceAll(REFERENCE, (all, hex, decimal, name, end: string, at: number) => {
    if (name === undefined) return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    const character = named().get(name);
    if (character === undefined) return all;
    if (end !== '') return character;
    // Old pages leave out the semicolon, and in the query of a URL the same letters are a parameter.
    return isOld(character) && !/[\w=]/.test(html.charAt(at + all.length)) ? character : all;
  });
}

/** The character of a number, by the HTML standard (https://html.spec.whatwg.org/#numeric-character-reference-end-state). */
function characterOf(code: number): string {
  if (code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) return '\u{fffd}';
  // Written by programs that took their own character set for Unicode.
  if (code >= 0x80 && code <= 0x9f) return new TextDecoder('windows-1252').decode(Uint8Array.of(code));
  return String.fromCodePoint(code);
}

const isOld = (character: string) => character <= '\u{ff}' && character !== "'";

/** Names in the order of their code points, from the first of which each list begins. */
const IN_ORDER: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
      'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
      'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
      'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
      'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
      'thorn yuml',
  ],
  [0x3_91, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3_a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [
    0x3_b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon ' +
      'phi chi psi omega',
  ],
  [0x20_18, 'lsquo rsquo sbquo'],
  [0x20_1c, 'ldquo rdquo bdquo'],
  [0x20_20, 'dagger Dagger bull'],
  [0x21_90, 'larr uarr rarr darr harr'],
];

const OTHERS =
  'quot" amp& lt< gt> apos\' OEligŒ oeligœ ScaronŠ scaronš YumlŸ fnofƒ circˆ tilde˜ ndash– mdash— hellip… permil‰ ' +
  'prime′ Prime″ lsaquo‹ rsaquo› oline‾ frasl⁄ euro€ trade™ minus− infin∞ asymp≈ ne≠ equiv≡ le≤ ge≥ sum∑ prod∏ radic√ ' +
  'spades♠ clubs♣ hearts♥ diams♦ loz◊ rArr⇒ lArr⇐ hArr⇔ ensp\u{2002} emsp\u{2003} thinsp\u{2009} zwnj\u{200c} ' +
  'zwj\u{200d} lrm\u{200e} rlm\u{200f} AMP& LT< GT> QUOT"';

const named = lazy((): ReadonlyMap<string, string> => {
  const ordered = IN_ORDER.flatMap(([first, names]) =>
    names.split(' ').map((name, index) => [name, String.fromCodePoint(first + index)] as const),
  );
  const others = OTHERS.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const);
  return new Map([...ordered, ...others]);
});

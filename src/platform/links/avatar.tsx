import { shownUrl } from './display-url.ts';

const COLOURS = [
  'colour-0',
  'colour-1',
  'colour-2',
  'colour-3',
  'colour-4',
  'colour-5',
  'colour-6',
  'colour-7',
] as const;

/**
 * The first letter of a destination's host in a coloured square, the same for all links to that host. An icon of the host
 * would have to be fetched from it, or from a third party, either of which would learn who manages links to it and when.
 */
export function Avatar({ href }: { href: string }) {
  const { host } = shownUrl(href);
  const name = host.replace(/^http:\/\//, '').replace(/^www\./, '');
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return (
    <span class={`initial ${colourOf(name)}`} aria-hidden="true">
      {Array.from(letter.toUpperCase())[0]}
    </span>
  );
}

function colourOf(name: string): string {
  const hash = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7);
  return COLOURS[hash % COLOURS.length]!;
}

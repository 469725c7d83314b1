import { shownUrl } from './display-url.ts';

const HUES = ['hue1', 'hue2', 'hue3', 'hue4', 'hue5', 'hue6', 'hue7'] as const;

/**
 * The first letter of a destination's host in a square, the same for all links to that host. An icon of the host
 * would have to be fetched from it, or from a third party, either of which would learn who manages links to it and when.
 */
export function Avatar({ href }: { href: string }) {
  const { host } = shownUrl(href);
  const name = host.replace(/^http:\/\//, '').replace(/^www\./, '');
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return (
    <span class={`tile ${hueOf(name)}`} aria-hidden="true">
      {Array.from(letter.toUpperCase())[0]}
    </span>
  );
}

// The hues of the design.
function hueOf(name: string): (typeof HUES)[number] {
  const hash = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7);
  return HUES[hash % HUES.length]!;
}

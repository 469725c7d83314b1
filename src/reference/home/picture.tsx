import { assetPath } from '../../http/assets.ts';

/** The sizes of the pictures in CSS pixels, as test/browser/pictures.test.ts takes them. */
const SIZES = { wide: { width: 1360, height: 694 }, phone: { width: 390, height: 560 } } as const;

/** A picture of the product, in light and dark, on wide screens and on phones. `npm run pictures` takes them. */
export function Picture({ of, alt, first = false }: { of: 'links' | 'overview'; alt: string; first?: boolean }) {
  const file = (size: 'wide' | 'phone', scheme: 'light' | 'dark') => assetPath(`${of}-${size}-${scheme}.webp`);
  const dark = '(prefers-color-scheme: dark)';
  const narrow = '(max-width: 44rem)';
  return (
    <picture class={first ? 'shot first' : 'shot'}>
      <source media={`${narrow} and ${dark}`} srcset={file('phone', 'dark')} {...SIZES.phone} />
      <source media={narrow} srcset={file('phone', 'light')} {...SIZES.phone} />
      <source media={dark} srcset={file('wide', 'dark')} {...SIZES.wide} />
      <img src={file('wide', 'light')} alt={alt} {...SIZES.wide} loading="lazy" decoding="async" />
    </picture>
  );
}

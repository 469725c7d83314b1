import { createContext, useContext } from 'hono/jsx';
import { OWN_BRAND, type Brand } from '../config/brand.ts';
import { findAssetPath } from './assets.ts';

/** The operator's name, logo and colour on a page. */
export const BrandOfPage = createContext<Brand>(OWN_BRAND);

/** The path of the operator's logo, which is there if the build has found one; null without one. */
export const logoPath = (): string | null => findAssetPath('brand-logo.svg') ?? findAssetPath('brand-logo.png');

/** The mark at the start of a page: the operator's logo, or the first letter of their name, or the mark of Terse. */
export function Mark() {
  const { name } = useContext(BrandOfPage);
  const logo = logoPath();
  if (logo !== null) return <img class="mark" src={logo} alt="" width="32" height="32" />;
  return (
    <span class="mark" aria-hidden="true">
      {name === OWN_BRAND.name ? <T /> : letterOf(name)}
    </span>
  );
}

/** The first letter of a name, as its mark. */
export const letterOf = (name: string): string => /./u.exec(name)?.[0].toLocaleUpperCase('en') ?? '';

const T = () => (
  <svg class="icon" viewBox="0 0 32 32">
    <path fill="currentColor" d={MARK_PATH} />
  </svg>
);

/** As in public/assets/icon.svg; it is here too, so that a page need not load the icons for it. */
const MARK_PATH =
  'M8 8.5h16a1.5 1.5 0 0 1 1.5 1.5v2a1.5 1.5 0 0 1-1.5 1.5h-5.3v8.5a1.5 1.5 0 0 1-1.5 1.5h-2.4a1.5 1.5 0 0 1-1.5-1.5v-8.5H8A1.5 1.5 0 0 1 6.5 12v-2A1.5 1.5 0 0 1 8 8.5z';

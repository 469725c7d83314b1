import { useContext, type PropsWithChildren } from 'hono/jsx';
import { assetPath, brandStylePath } from './assets.ts';
import { BrandOfPage, logoPath, Mark } from './brand.tsx';

/** The parts around the content that the pages of all surfaces share. */

/** The head of a page: its title, icon and style sheets (names of files), and further elements. */
export function Head({ title, styles, children }: PropsWithChildren<{ title: string; styles: readonly string[] }>) {
  const { colour } = useContext(BrandOfPage);
  const icon = logoPath() ?? assetPath('icon.svg');
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={icon} type={icon.endsWith('.svg') ? 'image/svg+xml' : 'image/png'} />
      <link
        rel="preload"
        href={assetPath('terse-grotesque.woff2')}
        as="font"
        type="font/woff2"
        crossorigin="anonymous"
      />
      {styles.map((name) => (
        <link rel="stylesheet" href={assetPath(name)} />
      ))}
      {colour !== null && <link rel="stylesheet" href={brandStylePath(colour)} />}
      {children}
    </head>
  );
}

/** A link past the header, for people who use the keyboard. */
export function SkipLink({ children = 'Skip to the content' }: PropsWithChildren) {
  return (
    <a class="skip" href="#main">
      {children}
    </a>
  );
}

/** The name and the mark of the service, as a link. */
export function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <Mark />
      <bdi>{useContext(BrandOfPage).name}</bdi>
    </a>
  );
}

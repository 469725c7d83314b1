import type { PropsWithChildren } from 'hono/jsx';
import { assetPath } from './assets.ts';

/** The parts around the content that the pages of all surfaces share. */

/** The head of a page: its title, icon and style sheets (names of files), and further elements. */
export function Head({ title, styles, children }: PropsWithChildren<{ title: string; styles: readonly string[] }>) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
      {styles.map((name) => (
        <link rel="stylesheet" href={assetPath(name)} />
      ))}
      {children}
    </head>
  );
}

/** A link past the header, for people who use the keyboard. */
export function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to the content
    </a>
  );
}

/** The product's name and icon, as a link. */
export function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <img src={assetPath('icon.svg')} alt="" width="22" height="22" />
      Terse
    </a>
  );
}

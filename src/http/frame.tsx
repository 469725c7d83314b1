import type { PropsWithChildren } from 'hono/jsx';

/** What the pages of every surface have around their content. */

/** The head of a page: how it is shown, its icon and style sheets, and whatever else it says. */
export function Head({ title, styles, children }: PropsWithChildren<{ title: string; styles: readonly string[] }>) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      {styles.map((href) => (
        <link rel="stylesheet" href={href} />
      ))}
      {children}
    </head>
  );
}

/** Leads past the header, for whoever goes by keyboard. */
export function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to the content
    </a>
  );
}

/** The product's name and sign, which lead to a first page. */
export function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <img src="/assets/icon.svg" alt="" width="22" height="22" />
      Terse
    </a>
  );
}

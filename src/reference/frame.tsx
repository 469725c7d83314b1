import { html } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';

const PAGES = [
  { href: '/docs', label: 'Docs' },
  { href: '/changelog', label: 'Changelog' },
  { href: '/platform', label: 'Platform' },
] as const;

/** A page that is the same for all. */
export interface Page {
  readonly title: string;
  readonly pathname: string;
  readonly content: Child;
}

/** Writes a page in its frame: head, skip link, header, main. */
export async function writePage({ title, pathname, content }: Page): Promise<string> {
  const page = (
    <html lang="en">
      <Head title={title} styles={['/assets/platform.css', '/assets/reference.css']}>
        <script type="module" src="/assets/platform.js"></script>
      </Head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header pathname={pathname} />
        <main id="main" class="main public" tabindex={-1}>
          {content}
        </main>
      </body>
    </html>
  );
  return String(await html`<!doctype html>${page}`);
}

/** What the head of every page says. */
export function Head({ title, styles, children }: PropsWithChildren<{ title: string; styles: readonly string[] }>) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="alternate" type="application/rss+xml" title="Terse changelog" href="/changelog.rss" />
      {styles.map((href) => (
        <link rel="stylesheet" href={href} />
      ))}
      {children}
    </head>
  );
}

/** The way home, and to the other pages. */
export function Header({ pathname }: { pathname: string }) {
  return (
    <header class="header">
      <div class="bar">
        <a class="brand" href="/">
          <img src="/assets/icon.svg" alt="" width="22" height="22" />
          Terse
        </a>
        <nav class="pages" aria-label="Pages">
          <ul>
            {PAGES.map(({ href, label }) => (
              <li>
                <a href={href} aria-current={href === pathname ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}

import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { assetPath } from '../http/assets.ts';
import { Brand, Head, SkipLink } from '../http/frame.tsx';

const PAGES = [
  { href: '/docs', label: 'Docs' },
  { href: '/changelog', label: 'Changelog' },
  { href: '/platform', label: 'Platform' },
] as const;

/** A page that is the same for all visitors. */
interface Page {
  readonly title: string;
  readonly pathname: string;
  readonly content: Child;
}

/** Writes a page in its frame: head, skip link, header, main. */
export async function writePage({ title, pathname, content }: Page): Promise<string> {
  const page = (
    <html lang="en">
      <PublicHead title={title} styles={['platform.css', 'reference.css']}>
        <script type="module" src={assetPath('platform.js')}></script>
      </PublicHead>
      <body>
        <SkipLink />
        <Header pathname={pathname} />
        <main id="main" class="main public" tabindex={-1}>
          {content}
        </main>
      </body>
    </html>
  );
  return String(await html`<!doctype html>${page}`);
}

/** The head of a page that is the same for all visitors. */
export function PublicHead({ title, styles, children }: Parameters<typeof Head>[0]) {
  return (
    <Head title={title} styles={styles}>
      <link rel="alternate" type="application/rss+xml" title="Terse changelog" href="/changelog.rss" />
      {children}
    </Head>
  );
}

/** Links to the first page and to the others. */
export function Header({ pathname }: { pathname: string }) {
  return (
    <header class="header">
      <div class="bar">
        <Brand href="/" />
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

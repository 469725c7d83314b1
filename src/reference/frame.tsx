import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { assetPath } from '../http/assets.ts';
import type { Brand as BrandSettings } from '../config/brand.ts';
import { BrandOfPage } from '../http/brand.tsx';
import { Card } from '../http/card.tsx';
import { Brand, Head, SkipLink } from '../http/frame.tsx';

const PAGES = [
  { href: '/docs', label: 'Docs' },
  { href: '/changelog', label: 'Changelog' },
  { href: '/platform', label: 'Platform' },
] as const;

/** A page that is the same for all visitors. */
interface Page {
  /** The title of the page, before the name of the service. */
  readonly title: string;
  /** For search engines and messengers. */
  readonly description: string;
  readonly pathname: string;
  readonly brand: BrandSettings;
  /** The public origin of the service. */
  readonly origin: string;
  readonly content: Child;
}

/** Writes a page in its frame: head, skip link, header, main. */
export async function writePage({ title, description, pathname, brand, origin, content }: Page): Promise<string> {
  const fullTitle = `${title} · ${brand.name}`;
  return write(
    brand,
    <html lang="en">
      <PublicHead title={fullTitle} styles={['platform.css', 'reference.css']}>
        <Card title={fullTitle} description={description} pathname={pathname} origin={origin} />
        <script type="module" src={assetPath('platform.js')}></script>
      </PublicHead>
      <body>
        <SkipLink />
        <Header pathname={pathname} />
        <main id="main" class="main public" tabindex={-1}>
          {content}
        </main>
      </body>
    </html>,
  );
}

/** Writes the front page in its frame, whose header stands on a band. */
export async function writeFrontPage({
  title,
  description,
  pathname,
  brand,
  origin,
  content,
  navigation,
  footer,
}: Page & { readonly navigation: Child; readonly footer: Child }): Promise<string> {
  const fullTitle = `${brand.name}: ${title}`;
  return write(
    brand,
    <html lang="en">
      <PublicHead title={fullTitle} styles={['reference.css']}>
        <Card title={fullTitle} description={description} pathname={pathname} origin={origin} />
        <script type="module" src={assetPath('front.js')}></script>
      </PublicHead>
      <body>
        <SkipLink />
        <header class="band">
          <div class="bar">
            <Brand href="/" />
            <nav class="pages" aria-label="Pages">
              {navigation}
            </nav>
          </div>
        </header>
        <main id="main" tabindex={-1}>
          {content}
        </main>
        {footer}
      </body>
    </html>,
  );
}

async function write(brand: BrandSettings, page: Child): Promise<string> {
  return String(await html`<!doctype html>${<BrandOfPage.Provider value={brand}>{page}</BrandOfPage.Provider>}`);
}

/** The head of a page that is the same for all visitors. */
function PublicHead({ title, styles, children }: Parameters<typeof Head>[0]) {
  return (
    <Head title={title} styles={styles}>
      <link rel="alternate" type="application/rss+xml" title="Terse changelog" href="/changelog.rss" />
      {children}
    </Head>
  );
}

/** Links to the first page and to the others. */
function Header({ pathname }: { pathname: string }) {
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

import { useContext } from 'hono/jsx';
import { assetPath } from './assets.ts';
import { BrandOfPage } from './brand.tsx';

/** A public page, as search engines and messengers show it. */
interface Card {
  readonly title: string;
  /** A sentence or two about the page. */
  readonly description: string;
  readonly pathname: string;
  /** The public origin of the service. Null if it is not known, for a file: then addresses are relative. */
  readonly origin: string | null;
}

/** The elements of a head for the description, the canonical address and the social card (https://ogp.me) of a page. */
export function Card({ title, description, pathname, origin }: Card) {
  const base = origin ?? '';
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={base + pathname} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={useContext(BrandOfPage).name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={base + pathname} />
      <meta property="og:image" content={base + assetPath('card.png')} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="A long address above, and the short link that it becomes below" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

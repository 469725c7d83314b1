import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';

/** The mark of the product, as a picture of what it does: a long address above, the short link that it becomes below. */
export function Tee({ bar, children }: { bar: Child; children: Child }) {
  return (
    <div class="tee">
      {bar}
      <div class="tee-stem">{children}</div>
    </div>
  );
}

/** An address above, which runs out at its end. */
export function TeeAddress({ url, ...rest }: { url: string; 'data-still'?: boolean }) {
  return (
    <p class="tee-bar" {...rest}>
      <Icon name="link" />
      <span class="tee-long">{url}</span>
    </p>
  );
}

/** An example of the two. Its host is reserved for examples (RFC 2606). */
export const EXAMPLE = {
  url: 'https://acme-outdoor.example/shop/tents/ultralight/alpine-lite-2?colour=moss&utm_source=newsletter&utm_campaign=spring-sale',
  host: 'acme.example',
  slug: 'tent',
} as const;

/** A short link, its slug in strong letters. */
export function TeeShort({ host, slug }: { host: string; slug: string }) {
  return (
    <strong class="tee-short">
      <span data-host>{host}</span>/<wbr />
      <b data-slug>{slug}</b>
    </strong>
  );
}

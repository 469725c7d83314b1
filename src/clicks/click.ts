/**
 * A followed link as the isolate holds it: plain values only, taken from the request as they came. The address leaves
 * the isolate as a mark, and nothing else of it.
 */
export interface Click {
  readonly linkId: string;
  readonly clientId: string;
  readonly campaignName: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** ISO 3166-1 alpha-2, as Cloudflare saw it. */
  readonly country: string | null;
  /** The `Referer` header. */
  readonly referrer: string | null;
  /** The `User-Agent` header. */
  readonly userAgent: string | null;
  /** The `Accept-Language` header. */
  readonly languages: string | null;
  /** Null where the visitor asks not to be tracked: then the click counts without a mark. */
  readonly address: string | null;
}

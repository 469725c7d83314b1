/**
 * A followed link, as the isolate holds it: plain values of the request, unchanged. The address never leaves the
 * isolate; only its mark does.
 */
export interface Click {
  readonly linkId: string;
  readonly clientId: string;
  readonly campaignName: string | null;
  /** The name of the rule or the variant that decided; null if the destination was the link's `url`. */
  readonly destination: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** ISO 3166-1 alpha-2, from Cloudflare. */
  readonly country: string | null;
  /** The `Referer` header. */
  readonly referrer: string | null;
  /** The `User-Agent` header. */
  readonly userAgent: string | null;
  /** The `Accept-Language` header. */
  readonly languages: string | null;
  /** The query of the visit, with its `?`; '' or absent without one. */
  readonly search?: string;
  /** Null if the visitor asks not to be tracked: then the click counts without a mark. */
  readonly address: string | null;
}

/** A short link without its scheme, as people write it. */
export const shown = (shortUrl: string): string => shortUrl.replace(/^https?:\/\//, '');

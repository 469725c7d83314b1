/** The country of a caller's address, from Cloudflare: ISO 3166-1 alpha-2, or null. */
export function countryOf({ cf }: Request): string | null {
  const country: unknown = cf?.['country'];
  return typeof country === 'string' ? country : null;
}

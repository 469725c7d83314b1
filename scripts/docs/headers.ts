import { publicHeaders } from '../../src/reference/policy.ts';

/** The client of the API viewer writes style elements while it runs. */
const OF_THE_CLIENT = { 'style-src': "'self' 'unsafe-inline'" };

/**
 * Writes `public/_headers`, the headers that the asset server gives to the pages of the docs:
 * https://developers.cloudflare.com/workers/static-assets/headers/
 */
export function writePolicies(): string {
  const pages = { ...publicHeaders(), 'X-Content-Type-Options': 'nosniff' };
  const client = publicHeaders(OF_THE_CLIENT)['Content-Security-Policy'] ?? '';
  return [
    '# Written by scripts/docs.mjs.',
    ...['/docs', '/docs/*'].flatMap((path) => [path, ...linesOf(pages)]),
    '/docs/try',
    '  ! Content-Security-Policy',
    ...linesOf({ 'Content-Security-Policy': client }),
    '',
  ].join('\n');
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);

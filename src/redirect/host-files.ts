import type { Database } from '../database/database.ts';
import { servesHost } from '../domains/domains.ts';
import { AppError } from '../errors.ts';
import { refuse } from './refusal.ts';
import { refuseFileMethod } from './responses.ts';

// Crawlers may follow every link: each redirect has a header that keeps it out of their index.
const ROBOTS = 'User-agent: *\nDisallow:\n';
const CACHE_CONTROL = 'public, max-age=86400';

/** Answers robots.txt (RFC 9309) and favicon.ico on the service's host ('') and on custom domains; 404 elsewhere. */
export async function hostFile(
  request: Request,
  pathname: string,
  host: string,
  db: Database,
  assets: Fetcher,
  publicUrl: URL | null,
): Promise<Response> {
  try {
    refuseFileMethod(request.method);
    if (host !== '' && !(await servesHost(db, host)))
      throw new AppError('not_found', 'This service does not serve this host.');
    if (pathname === '/favicon.ico') return await assets.fetch(new URL('/assets/favicon.ico', request.url));
    const headers = { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': CACHE_CONTROL };
    return new Response(request.method === 'HEAD' ? null : ROBOTS, { headers });
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

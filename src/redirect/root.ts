import type { Database } from '../database/database.ts';
import { rootUrlOf } from '../domains/domains.ts';
import { redirectOrNotFound, refuseOtherMethods } from './redirect.ts';
import { refuse } from './refusal.ts';

/** Answers the root of a custom domain: a redirect to its root URL, or 404. */
export async function domainRoot(
  request: Request,
  host: string,
  db: Database,
  publicUrl: URL | null,
): Promise<Response> {
  try {
    refuseOtherMethods(request.method);
    return redirectOrNotFound(await rootUrlOf(db, host));
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

import { countEncodeCall } from '../accounts/encode-callers.ts';
import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { createLink } from './create.ts';
import type { NewLink } from './input.ts';
import type { Link } from './link.ts';

/** As `createLink`, for `/shortener/encode`: the same batch counts the call, made or refused. */
export function encodeLink(db: Database, credential: Credential, input: NewLink): Promise<Link> {
  return createLink(db, credential, input, ({ id, clientId }) =>
    countEncodeCall(credential, clientId, { sql: 'EXISTS (SELECT 1 FROM links WHERE id = ?8)', params: [id] }),
  );
}

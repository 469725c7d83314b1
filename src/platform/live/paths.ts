import type { OwnClient } from '../env.ts';
import { clientPath } from '../nav.ts';

/** The path of the page with clicks as they are counted, of all links or of one. */
export function livePath(client: Pick<OwnClient, 'id'>, linkId: string | null = null): string {
  return clientPath(client, linkId === null ? 'live' : `live?${String(new URLSearchParams({ link_id: linkId }))}`);
}

/** The path of its stream, which continues after an event. */
export function streamPath(client: Pick<OwnClient, 'id'>, linkId: string | null): string {
  return livePath(client, linkId).replace(/\/live(?=\?|$)/, '/live/stream');
}

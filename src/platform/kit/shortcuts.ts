import type { OwnClient } from '../env.ts';
import { clientPath } from '../nav.ts';
import { controlId } from './fault-and-hint.tsx';

/** Attributes of the header: where the keyboard shortcuts lead that are no entries of the navigation. */
export function shortcutsOf(client: OwnClient | null | undefined) {
  if (!client) return {};
  const links = clientPath(client, 'links');
  return {
    'data-create': `${links}/new`,
    'data-import': `${links}/files`,
    'data-search': `${links}#${controlId('q')}`,
  };
}

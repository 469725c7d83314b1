import type { HistoryEntry } from '../../links/edit/history.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { linkPath } from '../links/paths.ts';
import type { PinEvent } from './pins.ts';

/** The events of links, for the charts of their clicks. */

/** @param starts when the first link of each campaign was created, in milliseconds since the epoch */
export const campaignEvents = (
  client: OwnClient,
  starts: readonly { readonly name: string; readonly startedAt: number }[],
): PinEvent[] =>
  starts.map(({ name, startedAt: at }) => ({ at, kind: 'campaign', name, href: campaignPath(client, name), by: null }));

/** The changes of a link. */
export const linkEvents = (client: OwnClient, id: string, history: readonly HistoryEntry[]): PinEvent[] =>
  history.map(({ at, action, changes, userName: by }) => ({
    at,
    kind: action === 'created' ? 'created' : 'url' in changes ? 'destination' : 'edited',
    name: null,
    href: linkPath(client, id, 'history'),
    by,
  }));

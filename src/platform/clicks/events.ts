import type { HistoryEntry } from '../../links/edit/history.ts';
import type { CampaignStart, Import } from '../../links/list/happenings.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { linkPath } from '../links/paths.ts';
import type { PinEvent } from './pins.ts';

/** The events of links, for the charts of their clicks. */

export const campaignEvents = (client: OwnClient, starts: readonly CampaignStart[]): PinEvent[] =>
  starts.map(({ name, startedAt: at }) => ({ at, kind: 'campaign', name, href: campaignPath(client, name), by: null }));

export const importEvents = (imports: readonly Import[]): PinEvent[] =>
  imports.map(({ at, ...who }) => ({ at, kind: 'imported', name: null, href: null, by: personOf(who) }));

/** The changes of a link. */
export const linkEvents = (client: OwnClient, id: string, history: readonly HistoryEntry[]): PinEvent[] =>
  history.map(({ at, action, changes, ...who }) => ({
    at,
    kind: action === 'created' ? 'created' : 'url' in changes ? 'destination' : 'edited',
    name: null,
    href: linkPath(client, id, 'history'),
    by: personOf(who),
  }));

const personOf = ({ userName: name, given }: Pick<Import, 'userName' | 'given'>): PinEvent['by'] =>
  name === null ? null : { name, given };

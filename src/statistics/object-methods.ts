import type { Methods } from '../objects/object-shell.ts';
import type { ClientStatistics } from './object.ts';

/** The methods of the statistics of a client that are called from outside. */
export const STATISTICS_METHODS: Methods<ClientStatistics> = {
  append: true,
  ask: true,
  askByLink: true,
  beginLoad: true,
  endLoad: true,
  erase: true,
  excludeClickWebhooks: true,
  expectClickWebhook: true,
  exportPage: true,
  hasRoom: true,
  lately: true,
  load: true,
  offer: true,
  purge: true,
  rank: true,
  recent: true,
  renameCampaign: true,
  totals: true,
  touch: true,
  visitorDays: true,
  visitors: true,
  watch: true,
};

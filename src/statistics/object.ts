import { DurableObject } from 'cloudflare:workers';

/** The click statistics of one client, in a database of its own. */
export class ClientStatistics extends DurableObject {}

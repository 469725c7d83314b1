import { DurableObject } from 'cloudflare:workers';

/** Durable Objects that do nothing: a floor gets the bindings of wrangler.toml, and its build needs their classes. */
export class ClientStatistics extends DurableObject {}
export class LinkLimit extends DurableObject {}

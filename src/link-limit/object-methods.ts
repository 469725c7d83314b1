import type { LinkLimit } from './object.ts';

type Method = Exclude<keyof LinkLimit, keyof DurableObject | '__DURABLE_OBJECT_BRAND'>;

// One that is missing here is a type error.
const METHODS: Readonly<Record<Method, true>> = {
  count: true,
  left: true,
  load: true,
  remove: true,
  set: true,
  take: true,
};

/** The methods of the limit of a link that are called from outside. */
export const LIMIT_METHODS = Object.keys(METHODS) as readonly Method[];

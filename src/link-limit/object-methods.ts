import type { Methods } from '../objects/object-shell.ts';
import type { LinkLimit } from './object.ts';

/** The methods of the limit of a link that are called from outside. */
export const LIMIT_METHODS: Methods<LinkLimit> = {
  count: true,
  left: true,
  load: true,
  remove: true,
  set: true,
  take: true,
};

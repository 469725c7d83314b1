import { env } from 'cloudflare:workers';
import { backgroundStatistics, limitsOf } from '../../src/app/stores.ts';
import { db } from './seed.ts';

/** The stores that the purge of a client needs, without custom hostnames. */
export const PURGE_STORES = {
  db,
  kv: env.LINKS,
  statistics: backgroundStatistics(env),
  limits: limitsOf(env),
  customHostnames: null,
};

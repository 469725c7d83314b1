import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
// Watches what requests defer, from the first one on.
import './deferred.ts';
import { forgetApp } from './module-registry.ts';

// Files share a workerd, and begin as if each had its own: with an app that remembers nothing, and with empty stores.
forgetApp();
do await reset();
while (await hasTables());
await env.DB.prepare(env.SCHEMA).run();

// A query of the file before, if it is still under way, keeps the database from being deleted.
async function hasTables(): Promise<boolean> {
  return (await env.DB.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'links'`).first()) !== null;
}

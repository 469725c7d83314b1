import { env } from 'cloudflare:workers';

// Each file has a database of its own, and the schema can be applied any number of times.
await env.DB.batch(env.SCHEMA.map((sql) => env.DB.prepare(sql)));

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

// Files share a workerd, and begin as if each had its own: with modules that remember nothing, and with empty stores.
vi.resetModules();
await reset();
await env.DB.batch(env.SCHEMA.map((sql) => env.DB.prepare(sql)));

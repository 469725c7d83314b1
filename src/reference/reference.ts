import { Hono } from 'hono';
import type { HttpEnv } from '../http/env.ts';
import { sameForAll } from '../http/surface.ts';
import { openApiDocument } from './document.ts';

/** `GET /openapi.json`: what this service answers to, for programs. */
export function referenceApi(): Hono<HttpEnv> {
  // Made by the first who asks. Not imported by them: the bundler would wrap all modules that it shares with the rest.
  let text: string | undefined;
  return new Hono<HttpEnv>().get('/openapi.json', sameForAll, (c) => {
    text ??= JSON.stringify(openApiDocument());
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });
}

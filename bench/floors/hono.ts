import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for the framework. */
export default new Hono().get('/:slug', (c) => c.redirect('https://example.com/a/page'));

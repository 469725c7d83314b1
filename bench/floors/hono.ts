import { Hono } from 'hono';

/** The floor for the framework. */
export default new Hono().get('/:slug', (c) => c.redirect('https://example.com/a/page'));

import { Hono } from 'hono';

/** What the framework costs. */
export default new Hono().get('/:slug', (c) => c.redirect('https://example.com/a/page'));

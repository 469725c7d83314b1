import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for a page: one of as many bytes that says nothing. */
export default new Hono().get('/:bytes', (c) => c.html(' '.repeat(Number(c.req.param('bytes')))));

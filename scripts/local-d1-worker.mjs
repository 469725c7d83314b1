/**
 * The Worker of `openLocalD1`: runs batches on its binding `DB`.
 *
 * @type {ExportedHandler<{ DB: D1Database }>}
 */
export default {
  async fetch(request, { DB }) {
    const statements = await request.json();
    try {
      const batch = await DB.batch(statements.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
      return Response.json({ rows: batch.map(({ results }) => results) });
    } catch (error) {
      return Response.json({ fault: error.message });
    }
  },
};

import { Hono, type Context } from 'hono';
import { REPEATABLE_NAMES } from '../clicks/filter-fields.ts';
import { getStats, type Stats } from '../clicks/stats.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readQueryAndLists } from '../http/query.ts';
import { parseStatsQuestion, type OnePath } from '../http/stats-question.ts';
import { toCsv } from '../clicks/stats-csv.ts';

/** `/v1/…/stats`: click statistics of a link, a campaign or a whole client, as JSON or CSV. */
export function statsApi(): Hono<HttpEnv> {
  const stats = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });
  stats.get('/v1/stats', refusal, async (c) => c.json(await ask(c, { kind: 'client' })));
  stats.get('/v1/campaigns/:name/stats', refusal, async (c) =>
    c.json(await ask(c, { kind: 'campaign', name: c.req.param('name') })),
  );
  stats.get('/v1/links/:id/stats', refusal, async (c) =>
    c.json(await ask(c, { kind: 'link', name: c.req.param('id') })),
  );
  stats.get('/v1/stats.csv', refusal, async (c) => respondWithCsv(c, { kind: 'client' }));
  stats.get('/v1/links/:id/stats.csv', refusal, async (c) =>
    respondWithCsv(c, { kind: 'link', name: c.req.param('id') }),
  );
  return stats;
}

async function respondWithCsv(c: Context<HttpEnv>, subject: OnePath): Promise<Response> {
  const response = await ask(c, subject);
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="clicks-by-${response.by}.csv"`);
  if (response.filtered_from !== null) c.header('Filtered-From', response.filtered_from);
  if (response.compare?.filtered_from) c.header('Compare-Filtered-From', response.compare.filtered_from);
  return c.body(toCsv(response));
}

async function ask(c: Context<HttpEnv>, subject: OnePath): Promise<Stats> {
  const verify = readAnyCredential(c);
  const { fields, lists } = readQueryAndLists(c, REPEATABLE_NAMES);
  const question = parseStatsQuestion(subject, { ...fields, ...lists });
  return getStats(c.var, await verify(), ...question);
}

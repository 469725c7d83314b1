import { Hono, type Context } from 'hono';
import Papa from 'papaparse';
import { statsFields } from '../clicks/query.ts';
import { getStats, type Stats, type StatsSubject } from '../clicks/stats.ts';
import { AppError } from '../errors.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readQuery } from '../http/query.ts';
import { parseFields } from '../validation.ts';

/** `/v1/…/stats`: click statistics of a link, a campaign or a whole client, as JSON or CSV. */
export function statsApi(): Hono<HttpEnv> {
  const stats = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });
  stats.get('/v1/stats', refusal, async (c) => c.json(await ask(c, { subject: 'client', name: '' })));
  stats.get('/v1/campaigns/:name/stats', refusal, async (c) =>
    c.json(await ask(c, { subject: 'campaign', name: c.req.param('name') })),
  );
  stats.get('/v1/links/:id/stats', refusal, async (c) =>
    c.json(await ask(c, { subject: 'link', name: c.req.param('id') })),
  );
  stats.get('/v1/links/:id/stats.csv', refusal, async (c) => {
    const answer = await ask(c, { subject: 'link', name: c.req.param('id') });
    c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
    c.header('Content-Disposition', `attachment; filename="clicks-by-${answer.by}.csv"`);
    return c.body(toCsv(answer));
  });
  return stats;
}

async function ask(c: Context<HttpEnv>, subject: StatsSubject): Promise<Stats> {
  const verify = readAnyCredential(c);
  const { campaign_name: campaign, ...query } = parseFields(statsFields, readQuery(c));
  if (campaign !== undefined && subject.subject !== 'client') {
    throw new AppError('unknown_field', 'campaign_name goes with /v1/stats only. Leave it out.');
  }
  const statsSubject: StatsSubject = campaign === undefined ? subject : { subject: 'campaign', name: campaign };
  return getStats(c.var.db, await verify(), statsSubject, query);
}

/** RFC 4180. A cell that a spreadsheet would run as a formula is guarded by `'`. */
function toCsv({ by, rows }: Stats): string {
  const data = rows.map(({ key, total, humans, bots, previews }) => [key ?? '', total, humans, bots, previews]);
  const fields = [by, 'total', 'humans', 'bots', 'previews'];
  return `${Papa.unparse({ fields, data }, { newline: '\r\n', escapeFormulae: true })}\r\n`;
}

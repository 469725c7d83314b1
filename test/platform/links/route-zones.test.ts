import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { storedOf } from '../../support/link-pages.ts';
import { openLinks } from '../../support/platform.ts';
import { openEdit } from '../../support/route-forms.ts';

/** Rules in more time zones than can be written now, in the form of an edit. */

const hours = (tz: string) => ({ type: 'hours', from: '09:00', until: '17:00', tz });
const RULE = {
  name: 'Rule 1',
  if: Intl.supportedValuesOf('timeZone').slice(0, 12).map(hours),
  url: 'https://example.com/app',
};

it('stored rules of many zones stay as they are in the form of an edit of other fields, and are refused with another zone', async () => {
  const scene = await openLinks();
  const { id, open, send } = await openEdit(scene, { title: 'Before' });
  const rules = JSON.stringify([RULE]);
  await env.DB.prepare('UPDATE links SET rules = ? WHERE id = ?').bind(rules, id).run();
  const fields = await open();
  expect((await send({ ...fields, title: 'After' })).status).toBe(303);
  expect(await storedOf(id)).toMatchObject({ title: 'After', rules });
  const refused = await send({ ...(await open()), 'rules.0.if.0.tz': 'Pacific/Kiritimati' });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('the rules of a link may name at most 8, but name 12');
  expect(await storedOf(id)).toMatchObject({ title: 'After', rules });
});

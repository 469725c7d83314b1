import { expect } from 'vitest';
import { answer, ask } from './management.ts';
import { pageFieldsOf } from './page-fields.ts';
import { form, textOf, type LinksScene } from './platform.ts';
import { seedLink } from './seed.ts';

/** The form of a link with rules and variants, without scripts. */

export const RULES = [
  { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' },
  {
    name: 'Berlin by day',
    if: [
      { type: 'hours', days: ['mon', 'fri'], from: '09:00', until: '17:00', tz: 'Europe/Berlin' },
      { type: 'country', in: ['DE', 'AT'], not: true },
    ],
    url: 'https://example.com/de',
  },
];
export const VARIANTS = [
  { name: 'A', url: 'https://example.com/a', weight: 30 },
  { name: 'B', url: 'https://example.com/b', weight: 70 },
];

/** Opens the form of a link with rules and variants. */
export async function openEdit(scene: LinksScene, fields: object = { rules: RULES, variants: VARIANTS }) {
  const { id } = await seedLink(scene.caller);
  await answer(await ask(scene.caller, 'PATCH', `/v1/links/${id}`, fields));
  const path = `${scene.path}/${id}/edit`;
  const open = async () => pageFieldsOf(await textOf(scene.browse(path)));
  const send = (sent: Record<string, string>) => scene.browse(path, form(sent));
  /** Presses a button, and returns what the form then has. */
  const press = async (sent: Record<string, string>, button: string) => {
    const response = await send({ ...sent, do: button });
    expect(response.status).toBe(200);
    return pageFieldsOf(await response.text());
  };
  return { id, path, open, send, press };
}

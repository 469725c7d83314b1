import { answer, ask } from './management.ts';
import { form, openLinks, textOf } from './platform.ts';
import { rowsOf, seedLink } from './seed.ts';

/** The pages of one link, for tests of its options. */

/** The row of a link. */
export const storedOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

/** Opens the pages of a link with these fields. */
export async function openPagesOfLink(fields: object = {}) {
  const { caller, browse, path: links } = await openLinks();
  const { id } = await seedLink(caller);
  if (Object.keys(fields).length > 0) await answer(await ask(caller, 'PATCH', `/v1/links/${id}`, fields));
  const path = `${links}/${id}`;
  return {
    id,
    caller,
    path,
    browse,
    details: () => textOf(browse(`${path}/details`)),
    history: () => textOf(browse(`${path}/history`)),
    open: () => textOf(browse(`${path}/edit`)),
    send: (sent: Record<string, string>) => browse(`${path}/edit`, form(sent)),
    visit: (query: string) => browse(`${path}/try?${query}`),
  };
}

/** The text of the history, without its tags. */
export const historyOf = (page: string) =>
  (page.split('<ol class="history">')[1]?.split('</ol>')[0] ?? '')
    .replaceAll(/<\/li>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\u2066\u2068\u2069]/g, '');

/** The options of a form by their labels: open or closed, and the words of each. */
export const optionsOf = (page: string): Record<string, readonly [state: 'open' | 'closed', words: string]> =>
  Object.fromEntries(
    [
      ...page.matchAll(
        /<details class="option"( open="")?><summary><span class="option-name"><svg.*?<\/svg>([^<]*)<\/span><span [^>]*>(.*?)<\/span>/g,
      ),
    ].map(([, open, label = '', words = '']) => [label, [open ? 'open' : 'closed', words.replaceAll(/<[^>]*>/g, '')]]),
  );

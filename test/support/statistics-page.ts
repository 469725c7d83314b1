/** What a page of click statistics shows. */

/** The texts of a table's cells, row by row without the head, by the caption of the table. */
export function rowsOf(page: string, caption: string): string[][] {
  const [, table = ''] = page.split(`<caption class="unseen">${caption}</caption>`);
  const [body = ''] = table.split('</table>');
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
    );
}

/** The sum of the numbers of a table's second column, which is that of people. */
export function peopleIn(page: string, caption: string): number {
  return rowsOf(page, caption).reduce((sum, [, people = '']) => sum + Number(people.replaceAll(',', '')), 0);
}

/** The number of people in the tile at the top. */
export function peopleOf(page: string): number {
  return Number(/<dt>People<\/dt><dd>([\d,]+)<\/dd>/.exec(page)?.[1]?.replaceAll(',', ''));
}

/** The path of the link with a text or a label. */
export function hrefOf(page: string, text: string): string {
  for (const [, attributes = '', content = ''] of page.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)) {
    const label = /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? content.replaceAll(/<[^>]*>/g, '');
    if (label.trim() === text) return /href="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  throw new Error(`there is no link ${text}`);
}

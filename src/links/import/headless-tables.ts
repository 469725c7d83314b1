/** Tables that databases export without the names of their columns. */

const YOURLS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];

/** The least number of columns of such a table. */
export const LEAST_COLUMNS = YOURLS.length;

/** The columns of a table whose first row is one of links, by the forms of its cells; null if it is no known table. */
export function columnsOfTable(cells: readonly string[]): readonly string[] | null {
  const [keyword = '', url = '', , timestamp = '', ip = '', clicks = ''] = cells;
  const isYourls =
    /^\S{1,100}$/.test(keyword) &&
    /^[a-z][a-z0-9+.-]{1,20}:/i.test(url) &&
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timestamp) &&
    /^[0-9a-f.:]{0,41}$/i.test(ip) &&
    /^\d{1,10}$/.test(clicks);
  // Plugins add columns behind those of the table.
  return isYourls ? cells.map((_, index) => YOURLS[index] ?? '') : null;
}

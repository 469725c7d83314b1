import type { Page } from 'playwright-core';

/** Measurements in a page. As texts: what runs in a page is not checked as what runs here. */

/** Measures the pixels of a page that stick out to the right. */
export const overhangOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The visible fields whose text is so small that a phone zooms in when one is focused. */
export function smallFieldsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea')]
      .filter((field) => field.checkVisibility() && parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML)
  `);
}

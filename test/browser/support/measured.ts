import type { Page } from 'playwright-core';

/** What is measured in a page. As texts: what runs in a page is not checked as what runs here. */

/** How many pixels of a page stick out to the right. */
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

/**
 * The targets that are too small to touch: at least 24 pixels each way, except for links within a text, and for the bars
 * of a chart, whose links are in its table too. Source: https://www.w3.org/TR/WCAG22/#target-size-minimum
 */
export function narrowTargetsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('a, button, summary, input:not([type=hidden]), select, textarea')]
      .filter((target) => target.checkVisibility() && !target.matches('.unseen, .skip, .skip-chart, .hit'))
      .filter((target) => getComputedStyle(target).display !== 'inline' || target.textContent === target.parentElement.textContent)
      .map((target) => [target, (target.closest('label') ?? target).getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24)
      .map(([target, { width, height }]) => Math.round(width) + ' × ' + Math.round(height) + ' ' + target.outerHTML.slice(0, 120))
  `);
}

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { LAYOUT_CHECKS } from './layout-checks.ts';

/** The layout of a page at its present width. */

/**
 * The layout errors of a page as it stands, each as a sentence that names the text or the element.
 *
 * @param part a selector of the only element that is checked
 */
export const layoutErrorsOf = (page: Page, part = 'body'): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(${LAYOUT_CHECKS})(document.querySelector(${JSON.stringify(part)}))`);

interface Layout {
  /** Which of the folds in `main` are open. */
  readonly folds: 'as they are' | 'open';
  /** The number of pixels that stick out to the right. */
  readonly overhang: number;
  readonly errors: readonly string[];
}

// In one call, since a test measures thousands of pages.
const layoutsOf = (page: Page): Promise<readonly Layout[]> =>
  page.evaluate<readonly Layout[]>(`(() => {
    const { documentElement: root } = document;
    const measure = (folds) => ({ folds, overhang: root.scrollWidth - root.clientWidth, errors: (${LAYOUT_CHECKS})(document.body) });
    const folded = [...document.querySelectorAll('main details:not([open])')];
    const layouts = [measure('as they are')];
    if (folded.length > 0) {
      for (const fold of folded) fold.open = true;
      layouts.push(measure('open'));
      for (const fold of folded) fold.open = false;
    }
    return layouts;
  })()`);

/**
 * Checks that a page looks whole at its present width, with its folds as they are and with all of them open: nothing sticks
 * out to the right, no word is torn, nothing is cut, over another thing, out of its card or off the line of its row.
 *
 * @param at what names the page, and how it is shown, such as its width
 */
export async function expectLayout(page: Page, at: Readonly<Record<string, unknown>>): Promise<void> {
  for (const layout of await layoutsOf(page)) {
    expect({ ...at, ...layout }).toEqual({ ...at, folds: layout.folds, overhang: 0, errors: [] });
  }
}

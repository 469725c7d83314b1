import type { Page } from 'playwright-core';

/**
 * Writes each text of an element twice, as a language would that is so much longer, and turns the page around if it is
 * asked to.
 */
export const stretch = (page: Page, within: string, isMirrored: boolean): Promise<void> =>
  page.evaluate(`(() => {
    if (${isMirrored}) document.documentElement.dir = document.documentElement.dir === 'rtl' ? 'ltr' : 'rtl';
    const walker = document.createTreeWalker(document.querySelector('${within}'), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts)
      if (/\\p{L}{2}/u.test(text.data) && !text.parentElement.closest(':not(html)[dir], [aria-hidden], script, style, textarea, svg, time, kbd, code, .tape'))
        text.data = text.data.trim() + ' ' + text.data.trim();
  })()`);

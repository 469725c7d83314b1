import type { Page } from 'playwright-core';

/**
 * Targets that are too small to be touched. As one text: what runs in a page is not checked as what runs here.
 */

/**
 * The targets of a page at its present width, in its closed menus and folds too, without a place in which 24 × 24 pixels
 * lead to them: a label and what a style sheet adds around an element count. A link within a sentence has the height of
 * its text; no space between targets makes up for their size. Source: https://www.w3.org/TR/WCAG22/#target-size-minimum
 */
export const smallTargetsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(async () => {
    const LEAST = 24;
    const REACH = LEAST / 2 - 0.5;
    const TARGETS = 'a[href], button, summary, input:not([type=hidden]), select, textarea, [tabindex="0"]:not(pre)';
    const place = [scrollX, scrollY];

    const isTarget = (element) =>
      !element.disabled && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true });
    const targetsIn = (root) => [...root.querySelectorAll(TARGETS)].filter(isTarget);

    /** The words around a link in its line, without those of other targets and those that are not seen. */
    function wordsAround(link) {
      let block = link.parentElement;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement;
      const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      let words = '';
      while (texts.nextNode()) {
        let holder = texts.currentNode.parentElement;
        if (holder.closest(TARGETS + ', .unseen, .badge, [aria-hidden]') !== null) continue;
        while (holder !== block && getComputedStyle(holder).display === 'inline') holder = holder.parentElement;
        if (holder === block) words += texts.currentNode.data;
      }
      return words.match(/[\\p{L}\\p{N}]+/gu) ?? [];
    }
    const isInSentence = (target) =>
      target.matches('a, button') && getComputedStyle(target).display === 'inline' && wordsAround(target).length >= 2;

    const isLarge = ({ width, height }) => width >= LEAST - 0.01 && height >= LEAST - 0.01;

    function isReached(target, { left, right, top, bottom }) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const leads = (atX, atY) => {
        const found = document.elementFromPoint(atX, atY);
        return found !== null && (target.contains(found) || found.closest('label')?.control === target);
      };
      const steps = [-REACH, 0, REACH];
      return steps.every((byX) => steps.every((byY) => leads(x + byX, y + byY)));
    }

    function sizeOf(target) {
      // What is only seen with the focus, such as a link that skips.
      if (getComputedStyle(target).clipPath !== 'none' || target.getBoundingClientRect().bottom <= -scrollY) target.focus();
      const parts = () => [target, ...(target.labels ?? [])].flatMap((element) => [...element.getClientRects()]);
      if (parts().some(isLarge)) return null;
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      if (parts().some((rect) => isReached(target, rect))) return null;
      const { width, height } = target.getBoundingClientRect();
      return Math.round(width) + ' × ' + Math.round(height);
    }

    const small = [];
    function measure(root) {
      for (const target of targetsIn(root)) {
        if (isInSentence(target)) continue;
        const size = sizeOf(target);
        if (size !== null) small.push(size + ' ' + target.outerHTML.replace(/\\s+/g, ' ').slice(0, 140));
      }
    }
    const focused = document.activeElement;
    measure(document.querySelector('dialog[open]') ?? document);
    for (const fold of document.querySelectorAll('details:not([open])')) {
      if (!fold.checkVisibility()) continue;
      fold.open = true;
      measure(fold);
      fold.open = false;
    }
    if (focused instanceof HTMLElement && focused !== document.body) focused.focus({ preventScroll: true });
    else document.activeElement.blur();
    scrollTo(...place);
    return [...new Set(small)];
  })()`);

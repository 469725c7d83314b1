import type { Page } from 'playwright-core';

/**
 * What looks broken in a page although nothing overflows it. As one text: what runs in a page is not checked as what runs
 * here.
 */

/** The layout errors of a page at its present width, each as a sentence that names the text or the element. */
export const layoutErrorsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const TOLERANCE = 2;
    const ALIGNMENT = 3;
    const LONGEST_WORD = 20;
    const errors = [];
    const nameOf = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 120);
    const isUnseen = (element) => element.closest('.unseen, .skip, .skip-chart, .hit, svg, [hidden]') !== null;
    const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isUnseen(element);
    const all = [...document.body.querySelectorAll('*')].filter(isShown);

    // Words on two lines: of letters and digits alone, since an address may break at any sign.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const linesOf = (node, from, to) => {
      range.setStart(node, from);
      range.setEnd(node, to);
      const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
      return rects.filter(({ top }, at) => at === 0 || top - rects[at - 1].top > 4).length;
    };
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const holder = node.parentElement;
      if (holder === null || !isShown(holder) || holder.closest('script, style, option, textarea') !== null) continue;
      for (const { 0: word, index } of node.data.matchAll(/(?<![^\\s(«„“"'])[\\p{L}\\p{M}\\p{N}]+(?![^\\s.,:;!?)»“”"'])/gu)) {
        if (word.length > LONGEST_WORD || linesOf(node, index, index + word.length) < 2) continue;
        // Scripts without spaces break between any two letters.
        if (/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]/u.test(word)) continue;
        errors.push('torn word: ' + word + ' in ' + nameOf(holder));
      }
    }

    // Content that is cut without an ellipsis and without a way to scroll.
    for (const element of all) {
      const style = getComputedStyle(element);
      if (style.display === 'inline' || element.matches('input, select, textarea, img, video, canvas')) continue;
      // A text for screen readers alone.
      if (element.clientWidth <= 1) continue;
      const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip';
      const isClamped = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (cuts(style.overflowX) && !isClamped && element.scrollWidth - element.clientWidth > TOLERANCE)
        errors.push('cut at the side: ' + nameOf(element));
      if (cuts(style.overflowY) && !isClamped && element.clientHeight > 0 && element.scrollHeight - element.clientHeight > TOLERANCE)
        errors.push('cut below: ' + nameOf(element));
    }

    // Controls over each other.
    const controls = all.filter((element) => element.matches('a[href], button, input:not([type=hidden]), select, textarea, summary'));
    const boxes = controls.map((element) => ({ element, box: element.getBoundingClientRect() }));
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (width <= TOLERANCE || height <= TOLERANCE || isCovered(one.element) || isCovered(other.element)) continue;
        errors.push('controls over each other: ' + nameOf(one.element) + ' and ' + nameOf(other.element));
      }
    // A bar that stays at the edge of the screen covers what is scrolled below it, and a whole row can lead where its text
    // does.
    function isCovered(element) {
      for (let at = element; at !== null; at = at.parentElement) {
        if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(at).position)) return true;
      }
      return false;
    }

    // Boxes that leave the card, the form or the cell they are in.
    for (const card of all.filter((element) => element.matches('section, fieldset, figure, details, dialog, li, td, th, .card'))) {
      const outer = card.getBoundingClientRect();
      if (getComputedStyle(card).display === 'inline' || outer.width === 0) continue;
      for (const element of card.children) {
        if (!isShown(element) || isCovered(element) || !hasEdges(element)) continue;
        const { left, right, width } = element.getBoundingClientRect();
        if (width > 0 && (left < outer.left - TOLERANCE || right > outer.right + TOLERANCE))
          errors.push('out of its box: ' + nameOf(element) + ' in ' + card.tagName.toLowerCase() + '.' + card.className);
      }
    }

    // The area that is touched around a small box has none.
    function hasEdges(element) {
      const { backgroundColor, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
      const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && borderLeftWidth === '0px' && borderRightWidth === '0px';
      return !isClear || element.textContent.trim() !== '' || element.matches('input, select, textarea, img, svg');
    }

    // Cells of one line off the line of their row.
    const firstLineOf = (cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.data.trim() === '' || !isShown(node.parentElement)) continue;
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
        const [rect] = rects;
        if (rect === undefined) continue;
        if (isHigherThan(cell, rect)) return null;
        return { middle: (rect.top + rect.bottom) / 2, size: getComputedStyle(node.parentElement).fontSize };
      }
      return null;
    };
    function isHigherThan(cell, line) {
      range.selectNodeContents(cell);
      const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      return rects.some(({ top, bottom }) => top > line.bottom - 2 || bottom < line.top + 2);
    }
    for (const row of all.filter((element) => element.matches('tr'))) {
      const [first, ...rest] = [...row.cells].filter(isShown);
      if (first === undefined || getComputedStyle(first).display !== 'table-cell') continue;
      const line = firstLineOf(first);
      if (line === null) continue;
      for (const cell of rest) {
        const other = firstLineOf(cell);
        if (other === null || other.size !== line.size || getComputedStyle(cell).display !== 'table-cell') continue;
        if (Math.abs(other.middle - line.middle) < ALIGNMENT) continue;
        errors.push('off the line of its row by ' + Math.round(other.middle - line.middle) + ' px: ' + nameOf(cell) + ' beside ' + nameOf(first));
        break;
      }
    }
    return [...new Set(errors)];
  })()`);

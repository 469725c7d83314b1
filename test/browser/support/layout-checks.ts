/**
 * Finds in a page what looks broken although nothing overflows it: a function of the element whose content is checked, which
 * returns sentences, each of which names a text or an element. As one text: what runs in a page is not checked as what runs
 * here.
 */
export const LAYOUT_CHECKS = String.raw`(checked) => {
  const TOLERANCE = 2;
  const ALIGNMENT = 3;
  const LONGEST_WORD = 20;
  const errors = [];
  const nameOf = (element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 120);

  // What the checks ask of each element, and of those around it. A text for screen readers alone has no place.
  const asked = new Map();
  function about(element) {
    if (!asked.has(element)) asked.set(element, read(element));
    return asked.get(element);
  }
  function read(element) {
    const style = getComputedStyle(element);
    const around = element.parentElement === null ? null : about(element.parentElement);
    const isLayer = ['fixed', 'absolute', 'sticky'].includes(style.position);
    const isPage = element === document.documentElement || element === document.body;
    const isHidden = style.clipPath.startsWith('inset(50%') || element.matches('svg, .skip');
    const isClear = style.backgroundColor === 'rgba(0, 0, 0, 0)';
    const isControl = element.matches('a[href], button, input:not([type=hidden]), select, textarea, summary');
    return {
      style,
      isControl,
      isShown: !isHidden && (around === null || around.isShown),
      layer: isLayer || around === null ? element : around.layer,
      isBlock: !['inline', 'contents', 'none'].includes(style.display),
      hasEdges: !isPage && (!isClear || (parseFloat(style.borderLeftWidth) > 0 && parseFloat(style.borderRightWidth) > 0)),
      cutsX: !isPage && style.overflowX !== 'visible',
      cutsY: !isPage && style.overflowY !== 'visible',
      // With an ellipsis, or fading out.
      isClamped: style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none' || style.maskImage !== 'none',
    };
  }
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && about(element).isShown;

  /** The part of a box within what cuts or scrolls the content of its element; null if that is nothing. */
  function visiblePart({ left, right, top, bottom }, element) {
    const part = { left, right, top, bottom };
    for (let at = element; at !== null && about(at).style.position !== 'fixed'; at = at.parentElement) {
      const { cutsX, cutsY } = about(at);
      if (!cutsX && !cutsY) continue;
      const outer = at.getBoundingClientRect();
      if (cutsX) [part.left, part.right] = [Math.max(part.left, outer.left), Math.min(part.right, outer.right)];
      if (cutsY) [part.top, part.bottom] = [Math.max(part.top, outer.top), Math.min(part.bottom, outer.bottom)];
    }
    return part.right - part.left > 1 && part.bottom - part.top > 1 ? part : null;
  }

  const all = [...checked.querySelectorAll('*')].filter(isShown);
  const range = document.createRange();
  const boxesOf = (target) => [...target.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const countLines = (boxes) => boxes.filter(({ top }, at) => at === 0 || Math.abs(top - boxes[at - 1].top) > 4).length;

  // The lines of all texts.
  const lines = [];
  const texts = document.createTreeWalker(checked, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const holder = node.parentElement;
    if (node.data.trim() === '' || !isShown(holder) || holder.closest('script, style, option, textarea') !== null) continue;
    range.selectNodeContents(node);
    const boxes = boxesOf(range);
    for (const whole of boxes) {
      const part = visiblePart(whole, holder);
      if (part !== null) lines.push({ node, element: holder, whole, ...part });
    }
    if (countLines(boxes) > 1) findTornWords(node, holder);
  }

  // Of letters and digits alone, since an address may break at any sign. Scripts without spaces break between letters.
  function findTornWords(node, holder) {
    const words = /(?<![^\s(«„“"'])(?:\p{N}{1,3}(?:,\p{N}{3})+|[\p{L}\p{M}\p{N}]+)(?![^\s.,:;!?)»“”"'])/gu;
    for (const { 0: word, index } of node.data.matchAll(words)) {
      if (word.length > LONGEST_WORD || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word))
        continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = boxesOf(range);
      if (countLines(boxes) > 1 && visiblePart(boxes[0], holder) !== null)
        errors.push('torn word: ' + word + ' in ' + nameOf(holder));
    }
  }

  // Content that is cut without an ellipsis and without a way to scroll.
  for (const element of all) {
    const { style, isBlock, isClamped } = about(element);
    if (!isBlock || isClamped || element.clientWidth <= 1 || element.matches('input, select, textarea, img')) continue;
    const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip';
    if (cuts(style.overflowX) && element.scrollWidth - element.clientWidth > TOLERANCE)
      errors.push('cut at the side: ' + nameOf(element));
    if (cuts(style.overflowY) && element.clientHeight > 0 && element.scrollHeight - element.clientHeight > TOLERANCE)
      errors.push('cut below: ' + nameOf(element));
  }
  // What is before the beginning of a box cannot be scrolled to.
  for (const { whole, element } of lines) {
    let box = element;
    while (box !== null && !about(box).cutsX) box = about(box).style.position === 'fixed' ? null : box.parentElement;
    const { left, right } = box === null ? { left: 0, right: innerWidth } : box.getBoundingClientRect();
    const { scrollLeft } = box ?? document.scrollingElement;
    const { style, isClamped } = about(box ?? document.body);
    const before = style.direction === 'rtl' ? whole.right - right : left - whole.left;
    if (!isClamped && scrollLeft === 0 && before > TOLERANCE) errors.push('cut at its beginning: ' + nameOf(element));
  }
  // A date and a time need the width of all of their parts.
  for (const field of all.filter((element) => element.matches('[type=date], [type=time], [type=datetime-local]'))) {
    const { width } = field.getBoundingClientRect();
    const free = { width: 'max-content', 'min-width': '0', 'max-width': 'none', flex: 'none' };
    for (const [name, value] of Object.entries(free)) field.style.setProperty(name, value, 'important');
    const needed = field.getBoundingClientRect().width;
    for (const name of Object.keys(free)) field.style.removeProperty(name);
    if (needed - width > TOLERANCE) errors.push('cut in its field by ' + Math.round(needed - width) + ' px: ' + nameOf(field));
  }

  // Controls and texts over each other. What has a layer of its own, such as an open menu, covers what is below it.
  const controls = all.filter((element) => about(element).isControl);
  const controlBoxes = controls.flatMap((element) =>
    boxesOf(element).flatMap((whole) => {
      const part = visiblePart(whole, element.parentElement);
      return part === null ? [] : [{ node: element, element, isControl: true, ...part }];
    }),
  );
  const placed = [...controlBoxes, ...lines].sort((one, other) => one.top - other.top);
  for (const [at, one] of placed.entries()) {
    for (let next = at + 1; next < placed.length && placed[next].top < one.bottom - TOLERANCE; next++) {
      const other = placed[next];
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (width <= TOLERANCE || about(one.element).layer !== about(other.element).layer) continue;
      if (one.node === other.node || one.node.contains(other.node) || other.node.contains(one.node)) continue;
      const height = Math.min(one.bottom, other.bottom) - other.top;
      // The box of a text is higher than its letters.
      const textHeights = [one, other].filter(({ isControl }) => !isControl).map(({ top, bottom }) => (bottom - top) / 2);
      if (height <= Math.max(TOLERANCE, ...textHeights)) continue;
      const what = textHeights.length === 0 ? 'controls' : textHeights.length === 1 ? 'a control and a text' : 'texts';
      errors.push(what + ' over each other: ' + nameOf(one.element) + ' and ' + nameOf(other.element));
    }
  }

  // Boxes, controls and texts that leave the card, the form or the cell they are in.
  const CARDS = 'section, fieldset, figure, details, dialog, form, li, td, th, .field, .panel';
  function findOutside(element, { left, right, top, bottom }, beyond) {
    const { layer } = about(element);
    if (element === layer && beyond === element.parentElement) return;
    for (let card = beyond; card !== null && card !== document.body; card = card.parentElement) {
      const { isBlock, hasEdges, cutsX } = about(card);
      if (cutsX) return;
      if (isBlock && (hasEdges || card.matches(CARDS))) {
        const outer = card.getBoundingClientRect();
        const isBeside = left < outer.left - TOLERANCE || right > outer.right + TOLERANCE;
        const isBelow = hasEdges && (top < outer.top - 2 * TOLERANCE || bottom > outer.bottom + 2 * TOLERANCE);
        if (outer.width > 1 && (isBeside || isBelow)) {
          errors.push('out of its box: ' + nameOf(element) + ' in ' + nameOf(card).slice(0, 80));
          return;
        }
      }
      if (card === layer) return;
    }
  }
  for (const element of all) {
    const { isBlock, hasEdges, isControl } = about(element);
    const isBox = hasEdges || isControl || element.matches('img');
    if (isBlock && isBox && element.offsetWidth > 1)
      findOutside(element, element.getBoundingClientRect(), element.parentElement);
  }
  for (const line of lines) findOutside(line.element, line, line.element);

  // Cells off the line of their row: neither their first lines nor, where they are in the middle, their contents.
  const canvas = document.createElement('canvas').getContext('2d');
  const ascents = new Map();
  function ascentOf(font) {
    if (!ascents.has(font)) {
      canvas.font = font;
      ascents.set(font, canvas.measureText('x').fontBoundingBoxAscent);
    }
    return ascents.get(font);
  }
  const linesOfCells = Map.groupBy(lines, ({ element }) => element.closest('td, th, dt, dd'));
  function contentOf(cell) {
    const own = linesOfCells.get(cell) ?? [];
    if (own.length === 0 || !isShown(cell)) return [];
    const first = own.reduce((one, other) => (other.whole.top < one.whole.top ? other : one));
    const boxes = [...own, ...controlBoxes.filter(({ element }) => cell.contains(element))];
    return [
      {
        cell,
        baseline: first.whole.top + ascentOf(about(first.element).style.font),
        line: (first.whole.top + first.whole.bottom) / 2,
        content: (Math.min(...boxes.map(({ top }) => top)) + Math.max(...boxes.map(({ bottom }) => bottom))) / 2,
        isInMiddle: about(cell).style.verticalAlign === 'middle',
      },
    ];
  }
  const rows = [
    ...[...checked.querySelectorAll('tr')].map(({ cells }) =>
      [...cells].filter((cell) => getComputedStyle(cell).display === 'table-cell'),
    ),
    ...[...checked.querySelectorAll('dl > div')].map(({ children }) => {
      const [first, ...rest] = children;
      const box = first?.getBoundingClientRect();
      return [first, ...rest.filter((cell) => cell.getBoundingClientRect().left >= box.right)];
    }),
  ];
  for (const row of rows) {
    const [first, ...others] = row.filter(Boolean).flatMap(contentOf);
    const off = others.find((other) => {
      const distances = [other.line - first.line, other.baseline - first.baseline];
      if (first.isInMiddle && other.isInMiddle) distances.push(other.content - first.content);
      return distances.every((distance) => Math.abs(distance) >= ALIGNMENT);
    });
    if (off === undefined) continue;
    const distance = Math.round(off.line - first.line);
    errors.push('off the line of its row by ' + distance + ' px: ' + nameOf(off.cell) + ' beside ' + nameOf(first.cell));
  }
  return [...new Set(errors)];
}`;

import type { Page } from './browser.ts';

/**
 * What a page shows and holds, line by line: elements with their attributes, texts, and the state of its controls,
 * folds and dialogs. Left out is what differs from one load to the next, such as times and nonces, and what screen
 * readers say once.
 */
export async function snapshotOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const LEFT_OUT = '[aria-live=polite].unseen, [data-live-state], [data-live-count], script, style';
    const CHANGING = new Set(['data-now', 'data-last', 'data-stream', 'data-passkey', 'datetime']);
    // Secrets that each page has of its own.
    const isOwn = (element) => ['nonce', 'sealed'].includes(element.name) || element.id === 'seed' || /^data:/.test(element.src) || /^otpauth:/.test(element.href);
    const STATES = ['value', 'checked', 'selected', 'open', 'hidden', 'disabled', 'indeterminate'];
    const lines = [];
    const stateOf = (element) => STATES.filter((name) => name in element && element.localName !== 'li')
      .map((name) => name + ':' + (isOwn(element) ? '·' : element[name])).join(' ');
    const write = (node, depth) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = node.data.replaceAll(/\\s+/g, ' ').trim();
        if (text !== '') lines.push(depth + (node.parentElement.closest('time') ? '·' : text));
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return;
      const attributes = [...node.attributes].filter(({ name, ownerElement }) =>
        !CHANGING.has(name) && !((name === 'value' || name === 'src' || name === 'href') && isOwn(ownerElement)) && !(name === 'title' && node.localName === 'time'));
      const written = attributes.map(({ name, value }) => name + '=' + JSON.stringify(value)).sort().join(' ');
      lines.push(depth + '<' + node.localName + ' ' + written + '> ' + stateOf(node));
      for (const child of node.childNodes) write(child, depth + ' ');
    };
    lines.push(document.title);
    for (const element of document.head.querySelectorAll('meta, link, script')) lines.push(element.outerHTML);
    write(document.documentElement.cloneNode(false), '');
    write(document.body, '');
    return lines;
  })()`);
}

/** The first lines in which two snapshots differ. */
export function differencesOf(shown: readonly string[], expected: readonly string[]): string[] {
  const first = shown.findIndex((line, index) => line !== expected[index]);
  if (first === -1 && shown.length === expected.length) return [];
  const from = first === -1 ? shown.length : first;
  return [
    ...shown.slice(from, from + 3).map((line) => `shown: ${line.trim()}`),
    ...expected.slice(from, from + 3).map((line) => `after a reload: ${line.trim()}`),
  ];
}

import { expect, it } from 'vitest';
import { PAGES } from '../support/page-table.ts';
import { openPages, PAGE_NAMES } from '../support/pages.ts';

/**
 * `controls.txt` lists what a person can operate on each page, so that a change shows there as a diff. It is written anew by
 * `npx vitest run --project worker test/platform/controls.test.ts -u`.
 */

/** Pages of HTML; the stream of live clicks never ends. */
const NAMES = PAGE_NAMES.filter(
  (name) => name.startsWith('GET ') && PAGES[name]?.status === 200 && !/\.\w+$|\/live\/stream$/.test(name),
);
const OPERATED = [
  'form',
  'input',
  'select',
  'textarea',
  'button',
  'details',
  'dialog',
  'a.button',
  'a[data-confirms]',
  'th',
];
const LISTED = ['head link[data-own]', 'head script', 'main', ...OPERATED.map((each) => `main ${each}`)].join(', ');
/** Attributes that differ with the language, the data or the day, and those whose value differs. */
const LEFT_OUT = /^(?:id|rel|data-own|value|href|src|title|placeholder|form|for|action|style|role|tabindex|aria-.*)$/;
const VALUE_LEFT_OUT = /^data-(?:passkey|text)$/;

it('each page has the scripts, forms and controls that are listed for it', async () => {
  const { requestOf } = await openPages();
  const lines: string[] = [];
  for (const name of NAMES) {
    lines.push(name);
    const list = new HTMLRewriter().on(LISTED, { element: (element) => void lines.push(`  ${described(element)}`) });
    await list.transform(await requestOf(name).send()).arrayBuffer();
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('controls.txt');
});

function described(element: Element): string {
  const shown = [...element.attributes]
    .map(([key = '', value = '']) => [key, value] as const)
    .filter(([key]) => !LEFT_OUT.test(key))
    .map(([key, value]) => (value === '' || VALUE_LEFT_OUT.test(key) ? key : `${key}=${value}`));
  return [element.tagName, ...filesOf(element), ...shown].join(' ');
}

/** The file of a script or style sheet, without the hash of its content. */
function filesOf(element: Element): string[] {
  const path = element.getAttribute(element.tagName === 'script' ? 'src' : 'href') ?? '';
  return path.startsWith('/assets/') ? [path.replace(/^\/assets\/|\.\w+(?=\.\w+$)/g, '')] : [];
}

import { describe, expect, it } from 'vitest';
import { openWindow } from './support/browser.ts';
import { expectLayout, layoutErrorsOf } from './support/layout.ts';

/** Each kind of layout error, in a small page that has it, and pages that look similar and have none. */

const STYLE = `<style>
  body { font: 16px/1.5 sans-serif; margin: 20px; }
  p, ul, dl, dd { margin: 0; padding: 0; overflow-wrap: anywhere; }
  .card { width: 200px; padding: 10px; border: 1px solid; }
  .cut { overflow: hidden; white-space: nowrap; }
  .row { display: flex; }
  td, th { padding: 4px; vertical-align: middle; }
</style>`;

async function errorsIn(body: string): Promise<readonly string[]> {
  const page = await openWindow();
  await page.setContent(`<!doctype html><html lang="en"><title>x</title>${STYLE}<body>${body}</body></html>`);
  return layoutErrorsOf(page);
}

describe('an error of the layout', () => {
  it.each([
    ['a word on two lines', /^torn word: Create in <h2/, '<h2 style="width: 3ch; overflow-wrap: anywhere">Create</h2>'],
    [
      'a number on two lines',
      /^torn word: 1,234,567 in <dd/,
      '<dl><div class="row"><dd style="width: 5ch">1,234,567</dd></div></dl>',
    ],
    [
      'a heading as wide as one of its letters',
      /^torn word: Create in <h2/,
      `<ol style="padding: 0"><li class="row" style="width: 130px"><h2 style="overflow-wrap: anywhere">Create a link</h2>
       <pre style="flex: none; margin: 0">curl https://a</pre></li></ol>`,
    ],
    [
      'a command that is cut at the side',
      /^cut at the side: <pre/,
      '<pre class="cut" style="width: 80px">curl https://example.com/</pre>',
    ],
    [
      'a text that is cut below',
      /^cut below: <div/,
      '<div style="width: 90px; height: 20px; overflow: hidden">one two three four five six</div>',
    ],
    [
      'a text that begins left of the screen',
      /^cut at its beginning: <p/,
      '<p style="margin-left: -60px; width: 200px">Visitors see less than all of this</p>',
    ],
    [
      'a text that begins left of the box that scrolls it',
      /^cut at its beginning: <p/,
      '<div style="width: 200px; overflow: auto"><p style="margin-left: -60px">Visitors see less of this</p></div>',
    ],
    [
      'a time that its field cuts',
      /^cut in its field by \d+ px: <input/,
      '<input type="datetime-local" style="width: 90px" />',
    ],
    [
      'buttons over each other',
      /^controls over each other: <button>One.* and <button/,
      '<div class="row"><button>One two</button><button style="margin-left: -20px">Three</button></div>',
    ],
    [
      'fields over each other in a dialog',
      /^controls over each other: <input name="a"/,
      '<dialog open><form><input name="a" style="display: block" /><input name="b" style="display: block; margin-top: -8px" /></form></dialog>',
    ],
    [
      'a button over a text',
      /^a control and a text over each other: /,
      '<p>A sentence of a page</p><button style="display: block; margin-top: -20px">Save</button>',
    ],
    [
      'texts over each other',
      /^texts over each other: /,
      '<p style="height: 5px">One sentence of a page</p><p>Another one below it</p>',
    ],
    [
      'a field that leaves its card',
      /^out of its box: <input type="datetime-local"/,
      `<div class="card"><form><div style="display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr))">
       <div><input type="datetime-local" style="width: 100%; box-sizing: border-box" /></div></div></form></div>`,
    ],
    [
      'a card that leaves the card around it',
      /^out of its box: <figure/,
      '<section style="width: 200px"><figure style="width: 260px; margin: 0; border: 1px solid">A chart</figure></section>',
    ],
    [
      'a text that leaves its button',
      /^out of its box: <button/,
      '<button style="width: 60px; white-space: nowrap">Create a link</button>',
    ],
    [
      'a text that leaves a card below',
      /^out of its box: <p/,
      '<div class="card" style="height: 30px"><p>One two three four five six seven eight nine ten eleven</p></div>',
    ],
    [
      'the first cell of a row off its line',
      /^off the line of its row by 4 px: <td.* beside <th/,
      '<table><tr><th scope="row"><span style="position: relative; top: -4px">Vienna</span></th><td>12</td></tr></table>',
    ],
    [
      'a first cell that is cut at the end, and so above the line',
      /^off the line of its row by \d px: <td.* beside <th/,
      `<table style="line-height: 1.5"><tr><th><a style="display: inline-block; max-width: 90px; overflow: hidden; min-height: 30px">Vienna</a></th>
       <td>12</td></tr></table>`,
    ],
    [
      'a value off the line of its name',
      /^off the line of its row by 6 px: <dd.* beside <dt/,
      '<dl><div class="row"><dt>Created</dt><dd style="padding: 6px 0 0 10px">today</dd></div></dl>',
    ],
  ])('an error of the layout is %s', async (_, sentence, body) => {
    expect(await errorsIn(body)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });
});

describe('no error of the layout', () => {
  it.each([
    ['a word that is longer than a line', `<p style="width: 10ch">${'x'.repeat(40)}</p>`],
    ['a script without spaces', '<p style="width: 6ch">短いリンクを作成します</p>'],
    ['an address that breaks at any sign', '<p style="width: 12ch">https://example.com/a/path</p>'],
    ['a text with an ellipsis', '<p class="cut" style="width: 80px; text-overflow: ellipsis">A title that is long</p>'],
    ['a command that scrolls', '<pre style="width: 80px; overflow-x: auto">curl https://example.com/</pre>'],
    [
      'a text of two lines that ends in an ellipsis',
      `<p style="width: 90px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden">
       one two three four five six seven</p>`,
    ],
    [
      'a text for screen readers',
      '<p style="position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%)">Chart</p>',
    ],
    ['a text from right to left', '<p dir="rtl" style="width: 200px">קמפיין אביב ארוך מאוד עם שם שלא נגמר</p>'],
    [
      'a menu over the page',
      '<div style="position: absolute; background: white"><a href="#a">Edit</a></div><a href="#b">A link</a>',
    ],
    [
      'controls beside each other',
      '<div class="row"><button>One</button><button>Two</button><a href="#c">Three</a></div>',
    ],
    ['links in a text', '<p style="width: 90px">See <a href="#d">all of the pages</a> and <a href="#e">more</a>.</p>'],
    [
      'a field in its card',
      '<div class="card"><form><input type="text" style="width: 100%; box-sizing: border-box" /></form></div>',
    ],
    [
      'a cell of several lines beside one in its middle',
      '<table style="width: 200px"><tr><th>Vienna, and all other towns</th><td>12</td></tr></table>',
    ],
    [
      'cells of two sizes',
      '<table><tr><th>Vienna</th><td style="font-size: 13px">12</td><td><button>Remove</button></td></tr></table>',
    ],
    ['a value below its name', '<dl><div><dt>Created</dt><dd>today</dd></div></dl>'],
  ])('a layout without an error has %s', async (_, body) => {
    expect(await errorsIn(body)).toEqual([]);
  });
});

it('checks what is folded too, and leaves the folds as they were', async () => {
  const page = await openWindow();
  const fold = '<details><summary>More</summary><div style="width: 3000px">wide</div></details>';
  await page.setContent(`<!doctype html><html lang="en"><title>x</title>${STYLE}<main><p>Text</p></main></html>`);
  await expectLayout(page, {});
  await page.setContent(`<!doctype html><html lang="en"><title>x</title>${STYLE}<main>${fold}</main></html>`);
  await expect(expectLayout(page, { name: 'folded' })).rejects.toThrow(/name: 'folded', folds: 'open'/);
  expect(await page.locator('details').getAttribute('open')).toBe(null);
});

import { expect, it } from 'vitest';
import { Button, ButtonLink } from '../../../src/platform/kit/button.tsx';
import { CopyButton, CopyField } from '../../../src/platform/kit/copy.tsx';
import { Disclosure } from '../../../src/platform/kit/disclosure.tsx';
import { Badge, EmptyState, Notice } from '../../../src/platform/kit/notice.tsx';
import { RelativeTime } from '../../../src/platform/kit/relative-time.tsx';
import { Facts, PageHeader, Section } from '../../../src/platform/kit/section.tsx';
import { DAY_MS, HOUR_MS } from '../../../src/time/day.ts';
import '../../support/in-english.ts';

/** The parts of which pages consist, as a browser gets them, without and with each of their options. */

const markupOf = (part: unknown): string => String(part);

it.each<[part: string, markup: unknown, expected: string]>([
  ['button', Button({ children: 'Save' }), '<button type="submit" class="button primary">Save</button>'],
  [
    'small button',
    Button({
      kind: 'danger',
      small: true,
      name: 'do',
      value: 'x',
      action: '/y',
      id: 'i',
      label: 'Delete x',
      children: 'Delete',
    }),
    '<button type="submit" id="i" class="button danger small" name="do" value="x" formaction="/y" aria-label="Delete x">Delete</button>',
  ],
  ['link', ButtonLink({ href: '/a?b&c', children: 'Open' }), '<a class="button quiet" href="/a?b&amp;c">Open</a>'],
  [
    'link that is confirmed',
    ButtonLink({
      href: '/a',
      kind: 'primary',
      small: true,
      confirms: true,
      hasFocus: true,
      label: 'Open a',
      children: 'Open',
    }),
    '<a class="button primary small" href="/a" data-confirms="" aria-label="Open a" autofocus="">Open</a>',
  ],
  ['notice', Notice({ children: 'Done.' }), '<div class="notice info" role="status">Done.</div>'],
  [
    'notice of a danger',
    Notice({ kind: 'danger', stack: true, children: 'Lost.' }),
    '<div class="notice danger stack" role="alert">Lost.</div>',
  ],
  ['badge', Badge({ children: 'New' }), '<span class="badge info">New</span>'],
  ['empty list', EmptyState({ title: 'None', children: 'Why.' }), '<div class="empty"><h2>None</h2><p>Why.</p></div>'],
  [
    'copy button',
    CopyButton({ label: 'Copy it' }),
    '<button type="button" class="button quiet" data-copy="" aria-label="Copy it" hidden="">Copy</button>',
  ],
  [
    'wide text to copy',
    CopyField({ id: 'k', label: 'Key', value: '"x"', wide: true }),
    '<div class="field wide"><label for="k">Key</label><div class="copy"><input id="k" class="code" type="text" value="&quot;x&quot;" readonly=""/>' +
      '<button type="button" class="button quiet" data-copy="k" aria-label="Copy Key" hidden="">Copy</button></div></div>',
  ],
  [
    'part that is folded',
    Disclosure({ label: 'Rules', note: '2 rules', open: false, children: 'x' }),
    '<details class="fold"><summary>Rules<span class="quiet"> 2 rules</span></summary>x</details>',
  ],
  [
    'part that is open',
    Disclosure({ label: 'Rules', open: true, children: 'x' }),
    '<details class="fold" open=""><summary>Rules</summary>x</details>',
  ],
  ['head of a page', PageHeader({ title: 'Links' }), '<div class="page-header"><div><h1>Links</h1></div></div>'],
  [
    'head of a page with all it can have',
    PageHeader({ title: 'a', lead: 'b', actions: 'c', crumb: { href: '/d', label: 'e' } }),
    '<div class="page-header"><div><p class="crumb"><a href="/d">e</a></p><h1>a</h1><p class="lead">b</p></div><div class="actions">c</div></div>',
  ],
  [
    'part of settings',
    Section({ id: 'a', title: 'b', children: 'c' }),
    '<section class="section" aria-labelledby="a"><div class="about"><h2 id="a">b</h2></div><div class="panel">c</div></section>',
  ],
  [
    'part of settings with a hint',
    Section({ id: 'a', title: 'b', hint: 'd', children: 'c' }),
    '<section class="section" aria-labelledby="a"><div class="about"><h2 id="a">b</h2><p>d</p></div><div class="panel">c</div></section>',
  ],
  ['facts', Facts({ facts: [{ term: 'a', value: 'b' }] }), '<dl class="facts"><div><dt>a</dt><dd>b</dd></div></dl>'],
])('the markup of a %s is complete', (_, markup, expected) => {
  expect(markupOf(markup)).toBe(expected);
});

const MINUTE_MS = 60_000;

it.each([
  [-HOUR_MS, 'now'],
  [MINUTE_MS - 1, 'now'],
  [MINUTE_MS, '1 min. ago'],
  [HOUR_MS - 1, '59 min. ago'],
  [HOUR_MS, '1 hr. ago'],
  [DAY_MS - 1, '23 hr. ago'],
  [DAY_MS, 'yesterday'],
  [30 * DAY_MS - 1, '29 days ago'],
  // A month is a twelfth of a year on average.
  [30 * DAY_MS, 'last mo.'],
  [2 * 30.4375 * DAY_MS - 1, 'last mo.'],
  [2 * 30.4375 * DAY_MS, '2 mo. ago'],
  [365 * DAY_MS - 1, '11 mo. ago'],
  [365 * DAY_MS, 'last yr.'],
  [2 * 365.25 * DAY_MS - 1, 'last yr.'],
  [2 * 365.25 * DAY_MS, '2 yr. ago'],
])('an age of %d ms is shown as %s', (age, words) => {
  const now = Date.parse('2026-05-20T12:00:00Z');
  const markup = markupOf(RelativeTime({ at: now - age, now, timeZone: 'UTC' }));
  expect(markup.replace(/^<time [^>]*>|<\/time>$/g, '')).toBe(words);
  expect(markup).toContain(`datetime="${new Date(now - age).toISOString()}"`);
});

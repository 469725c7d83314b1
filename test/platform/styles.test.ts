import { describe, expect, it, vi } from 'vitest';
import composer from '../../public/assets/composer.css?raw';
import domains from '../../public/assets/domains.css?raw';
import list from '../../public/assets/list.css?raw';
import platform from '../../public/assets/platform.css?raw';
import qr from '../../public/assets/qr.css?raw';
import settings from '../../public/assets/settings.css?raw';
import statistics from '../../public/assets/statistics.css?raw';
import { NOW } from '../../scripts/reference/examples.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';
import { shareOf } from '../support/share.ts';

/** The style sheets that not all pages load. */
const OWN = { composer, domains, list, qr, settings, statistics };

const classesOf = (sheet: string) => new Set([...sheet.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));
const everywhere = classesOf(platform);
const classesByOwn = Object.entries(OWN).map(
  ([name, sheet]) => [name, [...classesOf(sheet)].filter((each) => !everywhere.has(each))] as const,
);

describe('a style sheet that not all pages load', () => {
  it('a style sheet that not all pages load has classes of its own', () => {
    expect(classesByOwn.filter(([, classes]) => classes.length < 5)).toEqual([]);
  });

  it.each(shareOf(PAGE_NAMES.filter((name) => !name.endsWith('/stream'))))(
    'a page loads the sheet of each class: %s',
    async (name) => {
      // The invite of the examples is valid then.
      vi.setSystemTime(NOW);
      const response = await (await openPage(name)).send();
      vi.useRealTimers();
      const text = response.headers.get('Content-Type')?.startsWith('text/html') ? await response.text() : '';
      const named = new Set([...text.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));
      const loaded = new Set(
        Object.keys(OWN).filter((sheet) => new RegExp(`href="/assets/${sheet}\\.[0-9a-f]+\\.css"`).test(text)),
      );
      // A class can be in several sheets, one of which is loaded.
      const missing = [...named].flatMap((each) => {
        const sheets = classesByOwn.filter(([, classes]) => classes.includes(each)).map(([sheet]) => sheet);
        return sheets.length === 0 || sheets.some((sheet) => loaded.has(sheet)) ? [] : [{ class: each, sheets }];
      });
      expect(missing).toEqual([]);
    },
  );
});

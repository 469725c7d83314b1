import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

/** The measures of the style sheets: they are named at the head of platform.css, and used by their names. */

const sheet = (name: string) => readFileSync(join(ROOT, 'public/assets', name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
const [platform, reference] = [sheet('platform.css'), sheet('reference.css')];
const head = platform.slice(0, platform.indexOf('}'));

/** The tokens with a prefix, in pixels or as they are. */
function tokensOf(text: string, prefix: string): Record<string, string> {
  const found = text.matchAll(new RegExp(`--(${prefix}[\\w-]*): ([^;]+);`, 'g'));
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, inPixels(value)]));
}

const inPixels = (value: string) => value.replace(/^([\d.]+)rem$/, (_, number: string) => `${Number(number) * 16}px`);

it('the design has six sizes of type, three weights and seven spaces', () => {
  expect(tokensOf(head, 'size')).toEqual({
    'size-tiny': '12px',
    'size-small': '13px',
    size: '14px',
    'size-typed': '14px',
    'size-large': '16px',
    'size-head': '20px',
    'size-title': '28px',
  });
  expect(tokensOf(head, 'weight')).toEqual({ weight: '400', 'weight-medium': '500', 'weight-strong': '600' });
  expect(tokensOf(head, 'space')).toEqual({
    'space-1': '4px',
    'space-2': '8px',
    'space-3': '12px',
    'space-4': '16px',
    'space-5': '24px',
    'space-6': '32px',
    'space-7': '48px',
    // The exceptions.
    'space-touch': '2px',
    'space-line': '3px',
  });
  expect(tokensOf(head, 'width')).toEqual({ width: '1280px', 'width-form': '704px', 'width-narrow': '480px' });
});

it('the design has body text of 16 pixels where fingers point, and smaller titles on phones', () => {
  const [, coarse = ''] = /@media [^{]*\(pointer: coarse\) \{\s*:root \{([^}]*)\}/.exec(platform) ?? [];
  expect(tokensOf(coarse, 'size')).toEqual({
    'size-tiny': '13px',
    'size-small': '14px',
    size: '16px',
    'size-typed': '16px',
  });
  const [, narrow = ''] = /@media \(max-width: 44rem\) \{\s*:root \{([^}]*)\}/.exec(platform) ?? [];
  expect(tokensOf(narrow, 'size')).toEqual({ 'size-title': '20px' });
});

/** Values without a token. */
const EXCEPTIONS = new Set([
  // Code, whose letters are larger than those of the text around it.
  'font-size: 0.9em',
  // What only screen readers read.
  'margin: -1px',
  // The line below the current tab covers that of the row.
  'margin-bottom: -1px',
  // Beside an input, below its label, which is a line high.
  'margin-top: calc(1.5em + var(--space-1))',
  // Beside the badges of the changelog, which are as wide as their widest word.
  'margin: var(--space-2) 0 0 calc(5.5rem + var(--space-3))',
]);

it('the design uses its sizes for all type and all space', () => {
  const rules = platform.slice(head.length).replace(/:root \{[^}]*\}/g, '') + reference;
  const declared = rules.matchAll(
    /(?<=[{;]\s*)(font(?:-size|-weight)?|(?:row-|column-)?gap|(?:margin|padding)[\w-]*): ([^;]+);/g,
  );
  const raw = [...declared].flatMap(([, name = '', value = '']) => {
    const rest = value.replaceAll(/var\(--[\w-]+\)/g, '').replace(/^ ?\/ [\d.]+/, '');
    const isRaw = /\d(?:px|rem|em)\b/.test(rest) || (name.startsWith('font') && /\d/.test(rest));
    return isRaw ? [`${name}: ${value}`] : [];
  });
  expect(raw.filter((declaration) => !EXCEPTIONS.has(declaration))).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeConfusables } from '../src/text/confusables-code.ts';
import { UsageError } from './cli-error.ts';

/**
 * Writes src/text/confusables.ts from `confusables.txt` of UTS 39, which is at
 * https://www.unicode.org/Public/security/latest/confusables.txt and in the source of ICU. `node
 * scripts/confusables.ts FILE` writes it anew, once Unicode has a newer one.
 */

const [path] = process.argv.slice(2);
if (path === undefined) throw new UsageError('Name the file confusables.txt of Unicode.');
const text = readFileSync(path, 'utf8');
const version = /^# Version: ([\d.]+)$/m.exec(text)?.[1];
if (version === undefined) throw new UsageError(`${path} is no confusables.txt of Unicode.`);

// Of the others a name or a slug has none: NFKC changes them, or they are no letters, digits or marks.
const IS_IN_NAMES = /^[\p{L}\p{N}\p{M}]$/u;
const entries = [...text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;/gm)]
  .map(([, from = '', to = '']) => [charactersOf(from), charactersOf(to)] as const)
  .filter(([from]) => IS_IN_NAMES.test(from) && from > '\u007f' && from.normalize('NFKC') === from);

writeFileSync(
  join(import.meta.dirname, '../src/text/confusables.ts'),
  `/**
 * The letters, digits and marks that look like others, by confusables.txt of UTS 39, version ${version}, as
 * \`encodeConfusables\` writes them: written by \`node scripts/confusables.ts\`.
 *
 * Copyright © 2025 Unicode, Inc., under the Unicode License v3: see UNICODE-LICENSE.txt in this folder.
 */
export const CONFUSABLES =
  '${encodeConfusables(entries)}';
`,
);
console.log(`${entries.length} of them.`);

function charactersOf(codePoints: string): string {
  return String.fromCodePoint(
    ...codePoints
      .trim()
      .split(/\s+/)
      .map((each) => Number.parseInt(each, 16)),
  );
}

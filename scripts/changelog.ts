import { changesSinceRelease, currentDocument, readChangelog, writeChangelog } from './changelog/files.ts';
import { run } from './cli-error.ts';

/** `npm run changelog`: writes the changes of the API document since the last release, as unreleased. */

if (import.meta.main) await run(async () => changelog(process.cwd()));

/** Runs the tool. @param root the project's folder */
export function changelog(root: string): void {
  const unreleased = changesSinceRelease(root, currentDocument());
  writeChangelog(root, { ...readChangelog(root), unreleased });
  for (const { kind, method, path, breaking, changes } of unreleased) {
    console.log(`${kind} ${method} ${path}${breaking ? ' (breaking)' : ''}`);
    for (const { what, breaking: breaks } of changes) console.log(`  ${breaks ? '! ' : '  '}${what}`);
  }
  console.log(unreleased.length === 0 ? 'Nothing has changed since the last release.' : 'Written as unreleased.');
}

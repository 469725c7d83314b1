import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import { changesSinceRelease, currentDocument, readChangelog, readDocument } from '../../../scripts/changelog/files.ts';
import { objectOf } from '../../../scripts/changelog/json.ts';
import { applyOverrides } from '../../../scripts/changelog/overrides.ts';
import { versionFault } from '../../../scripts/changelog/release.ts';
import { ROOT } from '../support/project.ts';

const { unreleased, releases } = readChangelog(ROOT);

it('the changelog has an entry for all that has changed in the API document since the last release', () => {
  // Where this fails: npm run changelog.
  expect(unreleased).toEqual(changesSinceRelease(ROOT, currentDocument()));
});

it('the changelog says the version of the package, which is that of the document', () => {
  const newest = releases[0]?.version;
  const packageOf = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  expect(packageOf('package.json')).toMatchObject({ version: newest });
  expect(packageOf('package-lock.json')).toMatchObject({ version: newest, packages: { '': { version: newest } } });
  expect(objectOf(currentDocument()['info'])['version']).toBe(newest);
});

it('the changelog keeps the document of every release', () => {
  const versions = releases.map(({ version }) => objectOf(readDocument(ROOT, version)['info'])['version']);
  expect(versions).toEqual(releases.map(({ version }) => version));
});

describe.each(
  releases.slice(0, -1).map((release, index) => ({ ...release, last: releases[index + 1]?.version ?? '' })),
)('release $version', ({ version, last, entries }) => {
  it('a release breaks nothing without a new major version', () => {
    expect(versionFault(last, version, entries)).toBeNull();
  });

  it('a release says what its document has that the one before has not', () => {
    // What was classified by hand says why.
    const overrides = entries.flatMap(({ method, path, changes }) =>
      changes.flatMap(({ what, reason }) => (reason === undefined ? [] : [{ method, path, what, reason }])),
    );
    const drafts = compareDocuments(readDocument(ROOT, last), readDocument(ROOT, version));
    expect(entries).toEqual(applyOverrides(drafts, overrides));
  });
});

describe('the document of 1.0.0', () => {
  it('the document of 1.0.0 has the five endpoints of the published interface, one of them deprecated', () => {
    const paths = objectOf(readDocument(ROOT, '1.0.0')['paths']);
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(objectOf(item)).map(([method, operation]) => [
        `${method} ${path}`,
        objectOf(operation)['deprecated'] === true,
      ]),
    );
    expect(operations).toEqual([
      ['get /tokens/create_token', false],
      ['get /tokens/token_info', false],
      ['get /info/{id}/{client_id}/{sec_id}', false],
      ['post /v1/links', false],
      ['post /shortener/encode', true],
    ]);
  });
});

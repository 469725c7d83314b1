import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSchema, type Changelog, type Entry } from '../../src/changelog/entries.ts';
import { openApiDocument } from '../reference/document.ts';
import { UsageError } from '../cli-error.ts';
import { compareDocuments } from './compare.ts';
import { isObject, type JsonObject } from './json.ts';
import { applyOverrides, overridesSchema, type Override } from './overrides.ts';

/** The changelog's files: `changelog.json`, `overrides.json`, and the document of each released version. */

const FOLDER = 'src/changelog';

export function readChangelog(root: string): Changelog {
  return changelogSchema().parse(readJson(root, 'changelog.json'));
}

export function writeChangelog(root: string, changelog: Changelog): void {
  writeJson(root, 'changelog.json', changelogSchema().parse(changelog));
}

function readOverrides(root: string): readonly Override[] {
  return overridesSchema.parse(readJson(root, 'overrides.json'));
}

/** The document of a released version. Throws `UsageError` if it was not kept. */
export function readDocument(root: string, version: string): JsonObject {
  const name = `${version}.json`;
  if (!existsSync(join(root, FOLDER, name))) throw new UsageError(`${FOLDER}/${name} is missing: restore it from git.`);
  const document = readJson(root, name);
  if (!isObject(document)) throw new UsageError(`${FOLDER}/${name} is not an OpenAPI document.`);
  return document;
}

/** The present document, as plain JSON. */
export function currentDocument(): JsonObject {
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument()));
  if (!isObject(document)) throw new TypeError('the API document is no object');
  return document;
}

/** The changes since the last release. */
export function changesSinceRelease(root: string, document: JsonObject): readonly Entry[] {
  const [last] = readChangelog(root).releases;
  if (!last) throw new UsageError('There is no release to compare with.');
  return applyOverrides(compareDocuments(readDocument(root, last.version), document), readOverrides(root));
}

/** Stores the document of a release, and deletes the overrides that were for it. */
export function keepDocument(root: string, version: string, document: JsonObject): void {
  writeJson(root, `${version}.json`, document);
  writeJson(root, 'overrides.json', []);
}

/** Puts a version into package.json and its lockfile, without other changes. */
export function setPackageVersion(root: string, version: string): void {
  replaceIn(join(root, 'package.json'), 1, version);
  // Once for the lockfile and once for the package itself, which is the first of its packages.
  replaceIn(join(root, 'package-lock.json'), 2, version);
}

function replaceIn(file: string, times: number, version: string): void {
  let left = times;
  const text = readFileSync(file, 'utf8');
  const changed = text.replaceAll(/"version": "[^"]*"/g, (found) => (left-- > 0 ? `"version": "${version}"` : found));
  writeFileSync(file, changed);
}

function readJson(root: string, name: string): unknown {
  return JSON.parse(readFileSync(join(root, FOLDER, name), 'utf8'));
}

function writeJson(root: string, name: string, value: unknown): void {
  writeFileSync(join(root, FOLDER, name), `${JSON.stringify(value, null, 2)}\n`);
}

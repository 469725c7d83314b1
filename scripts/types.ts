import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { FIELD_NAMES } from '../src/links/fields/table.ts';
import { ENDPOINTS, openApiDocument } from './reference/document.ts';
import { mcpTools } from './reference/mcp-tools.ts';
import { run, UsageError } from './cli-error.ts';
import { DOC_TABLES, withTable } from './doc-tables.ts';
import { missingCodes, withCodes } from './error-codes.ts';
import { LANGUAGE_LIST, languageList } from './language-list.ts';
import { readMigrations } from './migrations/files.ts';

/**
 * `npm run types`: writes the error codes of new fields, the API document, the client types that are generated from it,
 * the tools of `POST /mcp`, the number of the newest migration, the list of languages, and the tables of the
 * documentation that come from the code. `--check` only reports whether they are up to date.
 */

const CODES = 'src/errors.ts';
const DOCUMENT = 'public/assets/openapi.json';
const TOOLS = 'public/assets/mcp-tools.json';
const TYPES = 'cli/client/terse.d.ts';
const CLI_FIELDS = 'cli/src/new-link-fields.json';
const VERSION = 'src/database/schema-version.ts';
const HEAD = '// The API of Terse. Generated from its OpenAPI document by `npm run types`; do not edit.\n\n';

const versionOf = (migrations: number) =>
  '// Generated from the names in `migrations/` by `npm run types`; do not edit.\n\n' +
  '/** The number of the newest migration that this code knows. */\n' +
  `export const SCHEMA_VERSION = ${migrations};\n`;

/** The fields that a new link can have besides its URL, with their JSON types as far as they have one. */
function newLinkFieldsOf({ components }: ApiDocument): object {
  const { properties } = components.schemas.NewLinkJson;
  const fields = [...FIELD_NAMES, 'reuse'].flatMap((name) => {
    const { type, description = '' } = properties[name] ?? {};
    return name in properties && name !== 'url' ? [[name, { type: [type].flat()[0] ?? null, description }]] : [];
  });
  return Object.fromEntries(fields);
}

interface ApiDocument {
  readonly components: { readonly schemas: { readonly NewLinkJson: { readonly properties: Properties } } };
}

type Properties = Readonly<
  Record<string, { readonly type?: string | readonly string[]; readonly description?: string }>
>;

// The generator needs the API of TypeScript 5, which version 7 no longer has.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const isCheck = process.argv.includes('--check');
const pathOf = (name: string) => join(import.meta.dirname, '..', name);

await run(async () => {
  const missing = missingCodes(ENDPOINTS);
  if (missing.length > 0) return addCodes(missing);
  const { default: generate, astToString } = await import('openapi-typescript');
  const document = JSON.stringify(openApiDocument());
  const files: Record<string, string> = {
    [DOCUMENT]: document,
    [TOOLS]: JSON.stringify(mcpTools()),
    [CLI_FIELDS]: `${JSON.stringify(newLinkFieldsOf(JSON.parse(document)), null, 2)}\n`,
    [LANGUAGE_LIST]: languageList(),
    [VERSION]: versionOf(readMigrations(pathOf('migrations')).length),
    [TYPES]: HEAD + astToString(await generate(document)),
  };
  for (const table of DOC_TABLES) {
    files[table.page] = withTable(files[table.page] ?? readFileSync(pathOf(table.page), 'utf8'), table);
  }
  for (const [name, text] of Object.entries(files)) {
    const path = pathOf(name);
    if (!isCheck) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) throw new UsageError(`${name} is out of date: npm run types.`);
  }
});

/** Adds codes to the service, and starts again, since this process has loaded the former ones. */
function addCodes(codes: readonly string[]): void {
  if (isCheck) throw new UsageError(`${CODES} has no ${codes.join(', ')}: npm run types.`);
  const path = pathOf(CODES);
  writeFileSync(path, withCodes(readFileSync(path, 'utf8'), codes));
  process.exitCode = spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit' }).status ?? 1;
}

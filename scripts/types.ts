import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { openApiDocument } from '../src/reference/document.ts';
import { run, UsageError } from './fail.ts';

/** `npm run types`: writes the types of a client, made of the API document. `--check` only says whether they are right. */

const FILE = join(import.meta.dirname, '../client/terse.d.ts');
const HEAD = '// The API of Terse. Made of its OpenAPI document by `npm run types`; not to be edited.\n\n';

// The generator needs the API of TypeScript 5, which version 7 has no more.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

await run(async () => {
  const { default: generate, astToString } = await import('openapi-typescript');
  const types = HEAD + astToString(await generate(JSON.stringify(openApiDocument())));
  if (!process.argv.includes('--check')) return writeFileSync(FILE, types);
  if (types !== readFileSync(FILE, 'utf8')) throw new UsageError('client/terse.d.ts is out of date: npm run types.');
});

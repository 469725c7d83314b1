import { registerHooks } from 'node:module';
import { join } from 'node:path';

/**
 * Generates clients from the API document with common generators: `node generate.ts DOCUMENT FOLDER ORIGIN`. They are
 * made for each test and not kept.
 */

const [document = '', folder = '', origin = ''] = process.argv.slice(2);

// The generators need the API of TypeScript 5, which version 7 no longer has.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document,
  output: { path: join(folder, 'hey-api'), postProcess: [], module: { extension: '.ts' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});

const { generate } = await import('orval');
const orval = (client: 'fetch' | 'zod') =>
  generate(
    {
      input: { target: document },
      output: {
        target: join(folder, `orval-${client}.ts`),
        client,
        mode: 'single',
        baseUrl: client === 'fetch' ? origin : '',
      },
    },
    folder,
  );
await orval('fetch');
await orval('zod');

// Compiles the texts of `src/languages/` for the Worker: ICU MessageFormat, once, at the build, so that the Worker has no
// parser. A room is a folder with a file for each language; the dictionaries are modules of their own, which a page in
// their language loads. What is written is not in git. Any Node from 20 on can run this.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import compile from 'icu-minify/compile';

const ROOMS = ['visitors', 'platform', 'mails'];
/** The groups of the platform that its scripts have, and not the Worker. */
const OF_SCRIPTS = ['copying', 'scripts', 'importScript', 'passkeyScript'];
/** The group of the sentences of the API that pages translate. */
const OF_API = 'faults';

const folder = fileURLToPath(new URL('../src/languages/', import.meta.url));
// The texts have a name, since `laterModules` passes no default export on.
const HEAD = '// Written by scripts/languages.mjs.\n';

for (const room of ROOMS) {
  const tags = readdirSync(folder + room).map((name) => name.replace(/\.ts$/, ''));
  for (const name of [room, 'scripts']) mkdirSync(`${folder}compiled/${name}`, { recursive: true });
  for (const tag of tags) {
    const texts = Object.entries(await textsOf(`${folder}${room}/${tag}.ts`));
    const jsonOf = (isWanted) =>
      JSON.stringify(
        compiled(
          texts.filter(([group]) => isWanted(group)),
          `${room}/${tag}`,
        ),
      );
    const own = jsonOf((group) => ![...OF_SCRIPTS, OF_API].includes(group));
    writeIfOther(
      `${folder}compiled/${room}/${tag}.js`,
      `${HEAD}export const TEXTS = ${own};\n${await faultsIn(room, tag)}`,
    );
    if (room === 'platform')
      writeIfOther(
        `${folder}compiled/scripts/${tag}.json`,
        jsonOf((group) => OF_SCRIPTS.includes(group)),
      );
  }
  for (const name of readdirSync(`${folder}compiled/${room}`))
    if (!tags.includes(name.replace(/\.js$/, ''))) rmSync(`${folder}compiled/${room}/${name}`);
  const lines = tags.map((tag) => `  '${tag}': () => import('./${room}/${tag}.js'),\n`);
  writeIfOther(`${folder}compiled/${room}.js`, `${HEAD}export const LOADERS = {\n${lines.join('')}};\n`);
}

/**
 * The source of the sentences of the API, each as the pages of a language have it; in English only those that name fields
 * of the API.
 */
async function faultsIn(room, tag) {
  if (room !== 'platform') return '';
  const { [OF_API]: english } = await textsOf(`${folder}platform/en.ts`);
  const own =
    tag === 'en'
      ? await textsOf(`${folder}faults-in-english.ts`)
      : (await textsOf(`${folder}platform/${tag}.ts`))[OF_API];
  const pairs = Object.entries(own).map(([key, text]) => [english[key], text]);
  return `export const TRANSLATED = ${JSON.stringify(pairs)};\n`;
}

/** The texts of a file, whose imports are of types alone. */
async function textsOf(file) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts' });
  const { default: texts } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return texts;
}

function compiled(groups, name) {
  const entries = groups.flatMap(([group, keys]) =>
    Object.entries(keys).map(([key, text]) => [`${group}.${key}`, text]),
  );
  return Object.fromEntries(
    entries.map(([key, text]) => {
      try {
        return [key, compile(text)];
      } catch (cause) {
        throw new Error(`${name}: ${key} is not ICU MessageFormat: ${text}`, { cause });
      }
    }),
  );
}

function writeIfOther(file, text) {
  if (contentOf(file) === text) return;
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

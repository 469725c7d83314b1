import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The files that scripts have built from the project's files and keep for the next start, since a build takes seconds.
 * Its name has the hash of those files, so that it is never older than they are. `npm ci` removes it.
 */
export const KEPT = 'node_modules/.kept';

/** As long as what no start uses is kept. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Further inputs of all that wrangler makes: the packages as npm has installed them, and its environment. */
const INSTALLED = 'node_modules/.package-lock.json';
const VARIABLES = ['CLOUDFLARE_ENV', 'NODE_ENV', 'WRANGLER_BUILD_CONDITIONS', 'WRANGLER_BUILD_PLATFORM'];

/** Something that is kept. */
interface Kept<Value> {
  /** The project's folder. */
  readonly root: string;
  /** The name of the build, such as `worker`. */
  readonly name: string;
  /** The files and folders that it is made of, in `root`. */
  readonly sources: readonly string[];
  /** Reads it from a path at which it is kept. */
  readonly read: (path: string) => Value;
  readonly make: () => Promise<Value>;
  /** Creates its file or folder at a path. */
  readonly write: (path: string, value: Value) => void;
}

/** Reads what is kept of the current files, or makes and keeps it. */
export async function readOrMake<Value>({ root, name, sources, read, make, write }: Kept<Value>): Promise<Value> {
  const path = keptPath(root, name, sources);
  if (path !== null && isKept(path)) return read(path);
  const value = await make();
  // A file that was changed meanwhile may have been read before or after.
  if (path !== null && path === keptPath(root, name, sources)) keep(path, (draft) => write(draft, value));
  return value;
}

/** Where something is kept. Null if that cannot be said, since a source is a link, or changes now. */
function keptPath(root: string, name: string, sources: readonly string[]): string | null {
  try {
    return join(root, KEPT, `${name}-${hashOf(root, sources)}`);
  } catch {
    return null;
  }
}

/** True if it is there. It then is kept for another week. */
function isKept(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // It can be read nevertheless.
  }
  return true;
}

/** Keeps a file or folder, and removes what was not used for a week. Nothing is kept where nothing can be written. */
function keep(path: string, write: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
    // Another start may do the same now, so that it appears at once or not at all, also if the machine loses its power.
    write(draft);
    for (const file of filesIn(draft)) flush(file);
    renameSync(draft, path);
    for (const old of readdirSync(folder).map((name) => join(folder, name))) {
      const usedAt = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
      if (usedAt < Date.now() - MAX_AGE_MS) rmSync(old, { recursive: true, force: true });
    }
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(VARIABLES.map((name) => process.env[name] ?? null)));
  const settings = readdirSync(root).filter((name) => name.startsWith('.env'));
  const further = [...settings, INSTALLED].filter((file) => existsSync(join(root, file)));
  for (const file of [...sources, ...further].flatMap((source) => filesIn(join(root, source)))) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  if (entries.some((entry) => entry.isSymbolicLink())) throw new Error(`${path} contains links.`);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

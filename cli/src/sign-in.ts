import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { EXIT, Failure, usageFailure } from './outcome.ts';
import { reasonOf } from './reasons.ts';

/** Where the service is, and the key for it. */
export interface SignIn {
  /** The origin of the service, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** The client, for an `api_token` of several clients. */
  readonly client?: string | undefined;
}

const OWNER_ONLY = 0o600;
const MAX_KEY_LENGTH = 4096;

/** The file with the key. XDG Base Directory Specification: a path that is not absolute does not count. */
function signInFile(): string {
  const named = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(homedir(), '.config'), 'terse', 'config.json');
}

/** The sign-in of the environment, or else of the file. Throws a failure that says how to sign in. */
export function readSignIn(): SignIn {
  const { TERSE_API_KEY: key, TERSE_URL: url } = process.env;
  if (key && url) return { url: originOf(url), key: checkedKey(key) };
  const stored = readStored();
  if (key) {
    if (stored === null) throw notSignedIn('TERSE_API_KEY is set, but TERSE_URL is not.');
    return { url: stored.url, key: checkedKey(key) };
  }
  if (stored === null) throw notSignedIn('You are not signed in.');
  if (url && originOf(url) !== stored.url) {
    // The key of one service is not sent to another.
    throw notSignedIn(
      `TERSE_URL is not the service that you signed in to (${stored.url}), and TERSE_API_KEY is not set.`,
    );
  }
  return stored;
}

/** The stored sign-in; null if there is none. Throws if others can read the file. */
export function readStored(): SignIn | null {
  const file = signInFile();
  const text = readPrivate(file);
  if (text === null) return null;
  const stored = parse(text);
  if (stored === null) throw notSignedIn(`${file} cannot be read as JSON with url and key.`);
  return { ...stored, url: originOf(stored.url), key: checkedKey(stored.key) };
}

/** Writes the sign-in, in one step, to a file that only the user can read. */
export function writeSignIn(signIn: SignIn): string {
  const file = signInFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(signIn, null, 2)}\n`, { mode: OWNER_ONLY });
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, file);
  return file;
}

/**
 * The origin of a service, which can be named by its host alone. Throws unless it is https, or http on this machine,
 * since the key is sent there.
 */
export function originOf(text: string): string {
  const url = urlOf(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(`"${text}" is not the URL of a service, such as https://go.example.com.`);
  }
  if (url.username || url.password) throw usageFailure('The URL of the service must not have a name or a password.');
  if (url.protocol === 'http:' && !isHere(url)) {
    throw usageFailure(`${url.origin} would send the key without encryption. Use https.`);
  }
  return url.origin;
}

function urlOf(text: string): URL | null {
  if (text.includes('://')) return URL.canParse(text) ? new URL(text) : null;
  if (!URL.canParse(`https://${text}`)) return null;
  const url = new URL(`https://${text}`);
  return isHere(url) ? new URL(`http://${text}`) : url;
}

const isHere = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(hostname);

/** A key that can be sent in a header. */
export function checkedKey(key: string): string {
  const trimmed = key.length > MAX_KEY_LENGTH ? '' : key.trim();
  if (!/^[!-~]+$/.test(trimmed)) {
    throw new Failure('The API key is empty, too long, or has characters that no key has.', {
      exit: EXIT.notSignedIn,
      code: 'invalid_key',
      remedy: 'Copy it again from where it was shown, or create a new one on the page of keys.',
    });
  }
  return trimmed;
}

function notSignedIn(message: string): Failure {
  const remedy = 'Run "terse login", or set TERSE_URL and TERSE_API_KEY.';
  return new Failure(message, { exit: EXIT.notSignedIn, code: 'not_signed_in', remedy });
}

function readPrivate(file: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw notSignedIn(`${file} cannot be read: ${reasonOf(error)}.`);
  }
  try {
    refuseReadable(file, fstatSync(descriptor).mode & 0o777);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function refuseReadable(file: string, mode: number): void {
  // Windows has no such modes: what is below a user's home is theirs.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new Failure(`Others on this machine can read ${file} (mode ${mode.toString(8)}), which has your key.`, {
    exit: EXIT.notSignedIn,
    code: 'unsafe_file',
    remedy: `Run: chmod 600 '${file}'. If others may have read the key, revoke it and sign in with a new one.`,
  });
}

function parse(text: string): SignIn | null {
  try {
    const { url, key, client } = JSON.parse(text) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof key !== 'string') return null;
    return { url, key, ...(typeof client === 'string' && { client }) };
  } catch {
    return null;
  }
}

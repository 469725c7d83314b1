import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { UsageError } from './fail.ts';

const FILE = '.dev.vars';
const OWNER_ONLY = 0o600;

/** Reads .dev.vars, the local secrets; makes it, or adds signing keys to it, where there are none yet. */
export async function ensureDevVars(): Promise<Record<string, string>> {
  const text = readDevVars();
  const vars = parse(text);
  if (vars['TOKEN_KEYS'] === undefined) {
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    vars['TOKEN_KEYS'] = JSON.stringify([await generateTokenKey()]);
    writeFileSync(FILE, `${text}${separator}TOKEN_KEYS='${vars['TOKEN_KEYS']}'\n`, { mode: OWNER_ONLY });
  }
  // Also for a file that was there: whoever can read it can sign tokens.
  chmodSync(FILE, OWNER_ONLY);
  return vars;
}

function readDevVars(): string {
  if (!existsSync(FILE)) return '';
  try {
    return readFileSync(FILE, 'utf8');
  } catch (cause) {
    throw new UsageError(`${FILE} cannot be read: make it a file of yours, or remove it to have a new one made.`, {
      cause,
    });
  }
}

function parse(text: string): Record<string, string> {
  const withoutQuoted = text.replace(/=\s*(["'`])[^]*?\1/g, '=');
  const line = withoutQuoted
    .split(/\r?\n/)
    .find((candidate) => !/^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(candidate));
  if (line !== undefined) {
    throw new UsageError(
      `${FILE} is broken at "${line.trim().slice(0, 20)}": write NAME=value lines, or remove the file to have it made anew.`,
    );
  }
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

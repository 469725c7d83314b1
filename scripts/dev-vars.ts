import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { generateSealingKey } from '../src/secrets/sealing.ts';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { UsageError } from './cli-error.ts';
import { OWNER_ONLY } from './secret-file.ts';

const FILE = '.dev.vars';

/** Reads .dev.vars, the local secrets. Creates the file, or adds the keys to it that it lacks. */
export async function ensureDevVars(): Promise<Record<string, string>> {
  const text = readDevVars();
  const vars = parse(text);
  const added: Record<string, string> = {};
  if (vars['TOKEN_KEYS'] === undefined) added['TOKEN_KEYS'] = JSON.stringify([await generateTokenKey()]);
  if (vars['WEBHOOK_KEYS'] === undefined) added['WEBHOOK_KEYS'] = JSON.stringify([generateSealingKey()]);
  const lines = Object.entries(added).map(([name, value]) => `${name}='${value}'\n`);
  if (lines.length > 0) {
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    changing('written', () => writeFileSync(FILE, [text, separator, ...lines].join(''), { mode: OWNER_ONLY }));
  }
  // An existing file too: everyone who can read it can sign tokens.
  if ((statSync(FILE).mode & 0o777) !== OWNER_ONLY)
    changing('restricted to your user', () => chmodSync(FILE, OWNER_ONLY));
  return { ...vars, ...added };
}

// The file may belong to another user, or its permissions may forbid writing.
function changing(outcome: string, change: () => void): void {
  try {
    change();
  } catch (cause) {
    const remedy = existsSync(FILE)
      ? 'change its owner or permissions so that you can write it, or start as its owner'
      : 'change the owner of the project folder to your user';
    throw new UsageError(`${FILE} cannot be ${outcome}: ${remedy}.`, { cause });
  }
}

function readDevVars(): string {
  if (!existsSync(FILE)) return '';
  try {
    return readFileSync(FILE, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `${FILE} cannot be read: check that it is a file of your user, or remove it to create a new one.`,
      {
        cause,
      },
    );
  }
}

function parse(text: string): Record<string, string> {
  const withoutQuoted = text.replace(/=\s*(["'`])[^]*?\1/g, '=');
  const line = withoutQuoted
    .split(/\r?\n/)
    .find((candidate) => !/^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(candidate));
  if (line !== undefined) {
    throw new UsageError(
      `${FILE} is broken at "${line.trim().slice(0, 20)}": write NAME=value lines, or remove the file to create it again.`,
    );
  }
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

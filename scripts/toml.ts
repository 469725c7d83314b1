import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';

/** Reads \`wrangler.toml\` of the current folder, as it is. wrangler can do so too, and takes a second to load. */
export function readToml(): object {
  return parse(readFileSync('wrangler.toml', 'utf8'));
}

import { parseConfig, type Config } from '../../../src/config/config.ts';
import { ConfigError } from '../../../src/config/setting-values.ts';
import { generateTokenKey } from '../../../src/tokens/keys.ts';

/** Settings, as a Worker reads them. */

/** The good keys of all settings that name no others. */
export const keys = [await generateTokenKey(), await generateTokenKey()] as const;

/** Parses these settings, with one good key, as the Worker does. */
export function parse(settings: Readonly<Record<string, unknown>>): Config {
  return parseConfig({ TOKEN_KEYS: JSON.stringify(keys), ...settings });
}

/** The sentence with which a Worker refuses these settings. */
export function fault(settings: Readonly<Record<string, unknown>>): string {
  try {
    parse(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(settings)}`);
}

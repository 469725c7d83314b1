import type { Context } from 'hono';
import type { Credential } from '../../accounts/grants.ts';
import type { HttpEnv } from '../../http/env.ts';
import { lazy } from '../../isolate/lazy.ts';
import { STORED_NAMES } from '../../links/fields/content.ts';
import type { LinkField } from '../../links/fields/field.ts';
import type { Stored } from '../../links/fields/kinds.ts';
import { linkFields } from '../../links/fields/table.ts';
import type { Fields } from '../../input/validation.ts';
import type { ToolResult } from '../result.ts';

/**
 * The request of a call. `verify` checks the credential as far as that needs no store; faults of the arguments come first.
 */
interface Call {
  readonly c: Context<HttpEnv>;
  readonly verify: () => Promise<Credential>;
}

/** Runs with arguments that are not checked yet. Throws `AppError`. */
export type Tool = (call: Call, given: Fields) => Promise<ToolResult>;

const OF_WORDS: ReadonlySet<Stored | undefined> = new Set(['text', 'json', 'names']);

/** The fields of a link whose text people wrote, or programs for them. No one has verified the host that it waits for. */
export const written = lazy((): readonly string[] => {
  const stored = STORED_NAMES.filter((name) => {
    const { stored, input }: LinkField = linkFields[name];
    return OF_WORDS.has(stored) && input?.kind !== 'choice';
  });
  return ['short_url', 'slug', 'aliases', 'custom_domain', 'waits_for', 'unhealthy', ...stored];
});

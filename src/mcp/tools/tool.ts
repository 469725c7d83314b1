import type { Context } from 'hono';
import type { Credential } from '../../accounts/grants.ts';
import type { HttpEnv } from '../../http/env.ts';
import type { Fields } from '../../validation.ts';
import type { ToolResult } from '../result.ts';

/** The request of a call. `verify` checks the credential as far as that needs no store; faults of the arguments come first. */
export interface Call {
  readonly c: Context<HttpEnv>;
  readonly verify: () => Promise<Credential>;
}

/** Runs with arguments that are not checked yet. Throws `AppError`. */
export type Tool = (call: Call, given: Fields) => Promise<ToolResult>;

/** The fields of a link whose text people wrote, or programs for them. */
export const WRITTEN = [
  'url',
  'short_url',
  'slug',
  'aliases',
  'title',
  'comments',
  'sec_id',
  'external_id',
  'campaign_name',
  'tags',
  'metadata',
  'expired_url',
  'rules',
  'variants',
  'preview',
] as const;

import kept from '../../changelog/changelog.json' with { type: 'json' };
import { changelogSchema, type Changelog } from './entries.ts';

/** The changelog of this version of the service. */
export function readChangelog(): Changelog {
  return (changelog ??= changelogSchema.parse(kept));
}

let changelog: Changelog | undefined;

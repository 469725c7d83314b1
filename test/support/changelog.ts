import kept from '../../src/changelog/changelog.json' with { type: 'json' };
import { changelogSchema, type Changelog } from '../../src/changelog/entries.ts';

/** The changelog of this version of the service. */
export const readChangelog = (): Changelog => changelogSchema().parse(kept);

import kept from '../../changelog/changelog.json' with { type: 'json' };
import { lazy } from '../lazy.ts';
import { changelogSchema, type Changelog } from './entries.ts';

/** The changelog of this version of the service. */
export const readChangelog = lazy((): Changelog => changelogSchema.parse(kept));

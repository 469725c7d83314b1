import type { PlatformLanguage } from '../list.ts';
import type { CompiledTexts } from '../words.ts';

/** Loads the texts of mails. Written by `scripts/languages.mjs`. */
export const LOADERS: Readonly<Record<PlatformLanguage, () => Promise<{ readonly TEXTS: CompiledTexts }>>>;

import type { Language } from '../list.ts';
import type { CompiledTexts } from '../words.ts';

/** Loads the texts of visitors' pages. Written by `scripts/languages.mjs`. */
export const LOADERS: Readonly<Record<Language, () => Promise<{ readonly TEXTS: CompiledTexts }>>>;

import type { PlatformLanguage } from '../list.ts';
import type { CompiledTexts } from '../words.ts';

/** Loads the texts of the platform. Written by `scripts/languages.mjs`. */
export const LOADERS: Readonly<
  Record<
    PlatformLanguage,
    () => Promise<{
      readonly TEXTS: CompiledTexts;
      /** English sentences of the API, each with its translation. */
      readonly TRANSLATED: readonly (readonly [english: string, own: string])[];
    }>
  >
>;

import { Later } from '../isolate/later.ts';
import { LOADERS } from './compiled/visitors.js';
import type { Language } from './list.ts';
import type english from './visitors/en.ts';
import type { Words } from './words.ts';

/** The words of visitors' pages in one language. */
export type VisitorWords = Words<typeof english>;

const LATER = Object.fromEntries(
  Object.entries(LOADERS).map(([tag, load]) => {
    const language = tag as Language;
    return [
      language,
      new Later<VisitorWords>(async () => {
        const [{ Words }, { TEXTS }] = await Promise.all([import('./words.ts'), load()]);
        return new Words(language, TEXTS);
      }),
    ];
  }),
) as Readonly<Record<Language, Later<VisitorWords>>>;

/** Loads the words in a language, once: its dictionary, and what writes texts with arguments. */
export const visitorWords = async (language: Language): Promise<VisitorWords> =>
  LATER[language].loaded ?? LATER[language].load();

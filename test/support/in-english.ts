import { WordsOfPage, wordsIn } from '../../src/platform/words.tsx';

/** Imported for its effect: components that a test renders without a page have English words. */
WordsOfPage.values[0] = await wordsIn('en');

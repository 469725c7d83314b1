import type { GivenName } from '../accounts/members/given-name.ts';
import { isolated } from './bidi.ts';
import type { PageWords } from './words.tsx';

/** The name of a person for pages: one that a provider gives has the provider's name beside it. */
export const personName = ({ text }: PageWords, own: string, given: GivenName | null): string =>
  given === null ? own : text('members.namedBy', { name: isolated(given.name), provider: isolated(given.provider) });

/** The user of a session as `personName` has it. */
export const ownName = (
  words: PageWords,
  { userName, given }: { readonly userName: string; readonly given: GivenName | null },
): string => personName(words, userName, given);

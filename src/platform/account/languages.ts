import { PLATFORM_LANGUAGES } from '../../languages/list.ts';
import type { Option } from '../kit/form.tsx';
import type { PageWords } from '../words.tsx';

/** The languages to choose from, each by its own name; '' for that of the browser. */
export const languageOptions = ({ text }: PageWords): readonly Option[] => [
  { value: '', label: text('account.ofBrowser') },
  ...PLATFORM_LANGUAGES.map((tag) => ({ value: tag, label: ownNameOf(tag) })),
];

function ownNameOf(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

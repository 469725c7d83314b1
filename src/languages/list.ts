// Generated from the names in `src/languages/visitors/` and `src/languages/platform/` by `npm run types`; do not edit.

/** The languages of visitors’ pages by their tags (BCP 47), with the code of their script (ISO 15924). */
export const LANGUAGES = {
  ar: { name: 'Arabic', script: 'Arab', direction: 'rtl' },
  de: { name: 'German', script: 'Latn', direction: 'ltr' },
  en: { name: 'English', script: 'Latn', direction: 'ltr' },
  es: { name: 'Spanish', script: 'Latn', direction: 'ltr' },
  fr: { name: 'French', script: 'Latn', direction: 'ltr' },
  ja: { name: 'Japanese', script: 'Jpan', direction: 'ltr' },
  pt: { name: 'Portuguese', script: 'Latn', direction: 'ltr' },
  'zh-Hans': { name: 'Simplified Chinese', script: 'Hans', direction: 'ltr' },
} as const;

/** The tag of a language. */
export type Language = keyof typeof LANGUAGES;

/** The tags of all languages. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly Language[];

/** The tags of the languages of the platform. */
export const PLATFORM_LANGUAGES = ['de', 'en', 'es', 'fr', 'ja'] as const;

/** The tag of a language of the platform. */
export type PlatformLanguage = (typeof PLATFORM_LANGUAGES)[number];

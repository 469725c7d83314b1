// The texts of the scripts in the language of the page. `scripts/assets.mjs` puts them in place of `TEXTS`: each language
// has scripts of its own.

/* global LANGUAGE, TEXTS */
import format from 'icu-minify/format';

const FORMATTERS = {
  getNumberFormat: (...options) => new Intl.NumberFormat(...options),
  getPluralRules: (...options) => new Intl.PluralRules(...options),
};

/** The text of a key, such as `scripts.close`, in plain characters. */
export const text = (key, values) => String(format(TEXTS[key], LANGUAGE, values, { formatters: FORMATTERS }));

/** A whole number. */
export const count = (number) => number.toLocaleString(LANGUAGE === 'en' ? 'en-GB' : LANGUAGE);

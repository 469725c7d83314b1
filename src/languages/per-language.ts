/** Keeps what is created for each language, such as a format of `Intl`, which takes longer to create than to use. */
export function perLanguage<Language extends string, Value>(
  create: (language: Language) => Value,
): (language: Language) => Value {
  const values = new Map<Language, Value>();
  return (language) => {
    const known = values.get(language) ?? create(language);
    values.set(language, known);
    return known;
  };
}

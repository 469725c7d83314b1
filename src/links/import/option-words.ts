/** A sentence of an import with options of a command in place of the parameters of the API: `--host shared`. */
export const withOptions = (sentence: string): string =>
  sentence.replaceAll(/\b(host|dates|charset)=(?=[\w.:-])/g, '--$1 ');

/** A section of the docs: its address, its page, its title and its words. */
type Section = readonly [path: string, page: string, title: string, text: string];

export function indexOf(
  sections: readonly Section[],
): (words: string) => readonly { readonly path: string; readonly page: string; readonly title: string }[];

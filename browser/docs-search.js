// The search of the docs, which is loaded when its field is first used.
import MiniSearch from 'minisearch';

const MAX_RESULTS = 12;

/** Indexes the sections of all pages, and returns a function that finds those with all words of a text. */
export function indexOf(sections) {
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['path', 'page', 'title'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  search.addAll(sections.map(([path, page, title, text], id) => ({ id, path, page, title, text })));
  return (words) => search.search(words).slice(0, MAX_RESULTS);
}

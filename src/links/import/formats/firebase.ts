import type { Format, Role } from './format.ts';

// The names of columns; a file has the whole, the words alone, or the parameter alone.
const NAMED: readonly (readonly [words: string, parameter: string, role: Role])[] = [
  ['deep_link', 'link', 'url'],
  ['android_fallback_link', 'afl', 'android_url'],
  ['ios_fallback_link', 'ifl', 'ios_url'],
  ['ios_ipad_fallback_link', 'ipfl', 'ipad_url'],
  ['desktop_fallback_link', 'ofl', 'desktop_url'],
  ['utm_source', 'utm_source', 'utm_source'],
  ['utm_medium', 'utm_medium', 'utm_medium'],
  ['utm_campaign', 'utm_campaign', 'utm_campaign'],
  ['utm_term', 'utm_term', 'utm_term'],
  ['utm_content', 'utm_content', 'utm_content'],
];

const DROPPED: readonly (readonly [words: string, parameter: string, note: string])[] = [
  ['social_description', 'sd', 'Its link preview is not kept.'],
  ['social_image_link', 'si', 'Its link preview is not kept.'],
];

const spellings = <Value>(named: readonly (readonly [words: string, parameter: string, value: Value])[]) =>
  Object.fromEntries(
    named.flatMap(([words, parameter, value]) =>
      [`${words}_(${parameter})`, words, parameter].map((name) => [name, value] as const),
    ),
  );

/**
 * The file of each domain that Google Takeout has of Firebase Dynamic Links. Source:
 * https://firebase.google.com/support/guides/export-dynamic-links
 */
export const firebase: Format = {
  id: 'firebase',
  name: 'Firebase Dynamic Links',
  file: 'CSVs of Google Takeout',
  hosts: ['page.link', 'app.goo.gl'],
  needs: [
    ['short_link', 'deep_link_(link)'],
    ['short_link', 'deep_link'],
    ['short_link', 'link'],
  ],
  columns: {
    short_link: 'short_url',
    ...spellings(NAMED),
    link_name: 'title',
    'social_title_(st)': 'title',
    social_title: 'title',
    st: 'title',
    'is_archived?': 'archived',
    is_archived: 'archived',
    creation_timestamp: 'created_at',
  },
  dropped: spellings(DROPPED),
  notes: ['Links open no apps: visitors are redirected to the link, or to the fallback link of their device.'],
};

import { field } from './field.ts';
import { lineUpTo, notEmpty } from './line.ts';

const campaignName = lineUpTo(128).meta({
  description: 'Campaign name, without control characters',
  example: 'Spring 2026',
});

/** The campaign under which clicks are counted. */
export const campaignNameField = field({
  label: 'Campaign',
  stored: 'text',
  isClearable: true,
  description: 'The campaign of the link; null if it has none',
  isPublished: true,
  isSearched: false,
  visitorsNeed: 'always',
  create: campaignName,
  edit: notEmpty(campaignName),
  row: campaignName,
  input: {
    kind: 'line',
    hint: 'Click statistics are summed up for each campaign.',
    editHint: 'Applies to future clicks only.',
  },
});

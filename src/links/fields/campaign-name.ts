import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { lineUpTo, notEmpty } from './line.ts';

/** The most characters of a name. */
export const MAX_CAMPAIGN_CHARACTERS = 128;

/** The campaign under which clicks are counted. */
export const campaignNameField = field({
  label: 'Campaign',
  ...VISITOR_FIELDS.campaign_name,
  description: 'The campaign of the link; null if it has none',
  isPublished: true,
  isSearched: true,
  schemas: () => {
    const name = lineUpTo(MAX_CAMPAIGN_CHARACTERS).meta({
      description: 'Campaign name, without control characters',
      brief: 'Campaign name',
      example: 'Spring 2026',
    });
    return { create: name, edit: notEmpty(name), row: name };
  },
  input: {
    kind: 'line',
    section: 'campaign',
  },
});

import { field } from './field.ts';
import { flagSchemas } from './flag.ts';

/** True if the destinations of the link are checked, and false if they are not, whatever the workspace says. */
export const checkDestinationField = field({
  label: 'Check the destination',
  stored: 'flag',
  isClearable: true,
  description: 'Whether the destinations of the link are checked; null for what its workspace says',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () =>
    flagSchemas({
      description:
        'Whether the destinations of the link are checked at least every 7 days, so that it can be `unhealthy`; as its ' +
        'workspace says if left out',
      brief: 'Checks its destinations',
      example: true,
    }),
  input: {
    kind: 'choice',
    section: 'redirect',
    choiceIfAbsent: '',
  },
});

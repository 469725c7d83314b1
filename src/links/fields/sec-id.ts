import { identifier } from '../../accounts/users/names.ts';
import { field } from './field.ts';

/** An id that the owner chooses; the service generates one if none is sent. */
export const secIdField = field({
  label: 'Secondary ID',
  stored: 'text',
  isClearable: false,
  description: 'The secondary id; generated if none was sent',
  isPublished: true,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => {
    const secId = identifier().meta({ description: 'Secondary link id; neither `.` nor `..`', example: 'print-2026' });
    return { create: secId, edit: secId, row: secId };
  },
  input: {
    kind: 'line',
    section: 'developers',
    isCode: true,
  },
});

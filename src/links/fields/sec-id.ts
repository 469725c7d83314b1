import { identifier } from '../../accounts/names.ts';
import { field } from './field.ts';

const secId = identifier.meta({ description: 'Secondary link id; neither `.` nor `..`', example: 'print-2026' });

/** An id that the owner chooses; the service generates one if none is sent. */
export const secIdField = field({
  label: 'Secondary ID',
  stored: 'text',
  isClearable: false,
  description: 'The secondary id; made by the service if none was sent',
  isPublished: true,
  isSearched: false,
  isForVisitors: false,
  create: secId,
  edit: secId,
  row: secId,
  input: {
    kind: 'line',
    isCode: true,
    createHint: 'An ID of your own. One is made for you if left empty.',
    editHint: 'Programs that ask for the link’s info name it.',
  },
});

import { AppError } from '../errors.ts';
import type { ManyAction } from '../links/edit/many-rules.ts';
import type { LeftFor, Undone } from '../links/edit/undo-many.ts';
import { campaignPart } from './campaigns/paths.ts';
import type { PageWords } from './words.tsx';

/** The forms that undo a change of links, and what is said of links that an undo has left as they are. */

export interface Undo {
  /** Where the form is sent: the part of the path after the client's. */
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The link whose page the user was on before; null if that is the page with the sentence. */
  readonly link: string | null;
}

/**
 * The action that undoes a change, by the sentence about the change. The cookie has the id of the edit before the links
 * that it has changed.
 */
const UNDONE_BY: Readonly<Record<string, ManyAction>> = {
  'link-disabled': 'enable',
  'link-deleted': 'restore',
  'links-disabled': 'enable',
  'links-deleted': 'restore',
  'links-campaign': 'undo_campaign',
  'links-expiry': 'undo_expiry',
};

/** `UNDONE_BY` for changes of tags, whose name the cookie has between the edit and the links. */
const TAGGING_UNDONE_BY: Readonly<Record<string, ManyAction>> = { 'links-tagged': 'untag', 'links-untagged': 'tag' };

/**
 * The form that undoes a change, or null.
 *
 * @param word the key of the sentence about the change
 * @param details what the cookie has beside it
 */
export function undoOf(word: string, details: readonly string[]): Undo | null {
  const [edit = '', ...others] = details;
  if (word === 'campaign-renamed' || word === 'campaign-merged') return undoOfCampaign(word, details);
  if (!EDIT_ID.test(edit)) return null;
  const [action, tagging] = [UNDONE_BY[word], TAGGING_UNDONE_BY[word]];
  const [first = '', ...tagged] = others;
  if (tagging)
    return undoOfMany(tagging, tagged, [
      ['edit', edit],
      ['tag', detailedText(first)],
    ]);
  return action ? undoOfMany(action, others, [['edit', edit]], word === 'link-deleted' ? first : null) : null;
}

function undoOfMany(
  action: ManyAction,
  ids: readonly string[],
  more: Undo['fields'],
  link: string | null = null,
): Undo | null {
  const chosen = ids.map((id) => ['id', id] as const);
  return ids.length === 0 ? null : { path: 'links/selected', fields: [['do', action], ...more, ...chosen], link };
}

function undoOfCampaign(word: 'campaign-renamed' | 'campaign-merged', details: readonly string[]): Undo | null {
  const [first, now, links = ''] = details;
  if (first === undefined || now === undefined) return null;
  const part = campaignPart(detailedText(now));
  return word === 'campaign-merged'
    ? {
        path: `${part}/unmerge`,
        fields: [
          ['edit', first],
          ['links', links],
        ],
        link: null,
      }
    : { path: `${part}/rename`, fields: [['name', detailedText(first)]], link: null };
}

/** A text as a detail, which has no dots. */
export const textDetail = (text: string): string => Buffer.from(text).toString('base64url');

const detailedText = (detail: string): string => Buffer.from(detail, 'base64url').toString();

const EDIT_ID = /^[\da-f-]{36}$/;

/** The id of an edit that is to be undone. Throws `not_found`. */
export function editIdOf(text = ''): string {
  if (EDIT_ID.test(text)) return text;
  throw new AppError('not_found', 'There is no such change.');
}

/** The subject of an undo, with the sentences about links that it has left as they are. */
const FIELDS = {
  campaign: { changed: 'undo.changedCampaign', unfit: 'undo.unfitCampaign' },
  expiry: { changed: 'undo.changedExpiry', unfit: 'undo.unfitExpiry' },
  status: { changed: 'undo.changedStatus', unfit: 'undo.unfitStatus' },
  tag: { changed: 'undo.changedTag', unfit: 'undo.unfitTag' },
  merge: { changed: 'undo.changedMerge', unfit: 'undo.unfitCampaign' },
} as const;
export type UndoneField = keyof typeof FIELDS;

const REASONS = ['changed', 'deleted', 'unfit'] as const satisfies LeftFor[];
/** The most links that are named: a cookie is small. */
const MAX_NAMED = 20;

/** The details of an undo that has left some links as they are. */
export function undoneInPart(field: UndoneField, { restored, left }: Undone): readonly string[] {
  const counts = REASONS.map((each) => left.filter(({ reason }) => reason === each).length);
  const named = left.slice(0, MAX_NAMED).map(({ id }) => id);
  return [field, ...[restored.length, ...counts].map(String), ...named];
}

/** `undoneInPart` for a merge of campaigns, where only the numbers of links are known. */
export const unmergedInPart = (restored: number, left: number): readonly string[] =>
  ['merge', restored, left, 0, 0].map(String);

/** The sentence about links that an undo has left, with their ids; null if the details are none of `undoneInPart`. */
export function readUndoneInPart(
  { text }: PageWords,
  details: readonly string[],
): { sentence: string; links: readonly string[] } | null {
  const [field = '', ...others] = details;
  const [numbers, links] = [others.slice(0, 1 + REASONS.length), others.slice(1 + REASONS.length)];
  if (!isField(field) || numbers.length <= REASONS.length || !numbers.every((number) => /^\d{1,4}$/.test(number)))
    return null;
  if (!links.every((id) => /^[\w-]{1,64}$/.test(id))) return null;
  const [restored = 0, changed = 0, deleted = 0, unfit = 0] = numbers.map(Number);
  const { changed: changedKey, unfit: unfitKey } = FIELDS[field];
  const left = [
    [changedKey, changed],
    ['undo.deleted', deleted],
    [unfitKey, unfit],
  ] as const;
  const sentences = left.flatMap(([key, count]) => (count > 0 ? [text(key, { count })] : []));
  return { sentence: [text('undo.done', { count: restored }), ...sentences].join(' '), links };
}

function isField(field: string): field is UndoneField {
  return Object.hasOwn(FIELDS, field);
}

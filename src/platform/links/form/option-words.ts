import type { IconName } from '../../../design/icon-names.ts';
import { FIELD_NAMES, fieldOf } from '../../../links/fields/table.ts';
import { UTM_NAMES } from '../../../links/destinations/utm.ts';
import { splitTags } from '../../../links/tags/names.ts';
import type { PageWords, PlainKey } from '../../words.tsx';
import { shownUrl } from '../display-url.ts';
import { labelOf } from '../field-words.ts';
import { sharesOf } from '../routes/actions.ts';
import { letterOf, takeDraft, type RoutesDraft } from '../routes/draft.ts';
import { formatShare } from '../routes-in-words.ts';
import { REMOVE_PASSWORD } from './fields.ts';
import { inputOf } from './parts.ts';

/** The options of a link, and in words what each is set to, as the form has it. */

interface OptionText {
  readonly label: PlainKey;
  readonly icon: IconName;
  /** The words while nothing is set. */
  readonly unset: PlainKey;
}

/** The options in the order of the form. */
export const OPTIONS = {
  campaign: { label: 'linkForm.optionCampaign', icon: 'megaphone', unset: 'linkForm.unset' },
  utm: { label: 'linkForm.optionUtm', icon: 'chart-line', unset: 'linkForm.unset' },
  rules: { label: 'linkForm.optionRules', icon: 'route', unset: 'linkForm.unset' },
  variants: { label: 'linkForm.optionVariants', icon: 'split', unset: 'linkForm.unsetVariants' },
  schedule: { label: 'linkForm.optionSchedule', icon: 'hourglass', unset: 'linkForm.unsetSchedule' },
  password: { label: 'linkForm.optionPassword', icon: 'lock', unset: 'linkForm.unset' },
  preview: { label: 'linkForm.optionPreview', icon: 'image', unset: 'linkForm.unsetPreview' },
  app: { label: 'linkForm.optionApp', icon: 'smartphone', unset: 'linkForm.unsetApp' },
  redirect: { label: 'linkForm.optionRedirect', icon: 'corner-down-right', unset: 'linkForm.unsetRedirect' },
  comments: { label: 'linkForm.optionComments', icon: 'message-circle', unset: 'linkForm.unset' },
  developers: { label: 'linkForm.optionDevelopers', icon: 'terminal', unset: 'linkForm.unset' },
} as const satisfies Readonly<Record<string, OptionText>>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

type Texts = Readonly<Record<string, string>>;

// More is cut by every screen.
const MAX_SHOWN = 80;

/** An option in words, such as "3 rules"; null if nothing is set. */
export function wordsOfOption(
  words: PageWords,
  name: OptionName,
  values: Texts,
  { hasPassword = false } = {},
): string | null {
  const set = WORDS[name](words, values, hasPassword).filter((word) => word !== '');
  return set.length === 0 ? null : set.join(' · ').slice(0, MAX_SHOWN);
}

type WordsOf = (words: PageWords, values: Texts, hasPassword: boolean) => readonly string[];

const WORDS: Readonly<Record<OptionName, WordsOf>> = {
  campaign: (_, { campaign_name: campaign = '', tags = '' }) => [campaign.trim(), tagsOf(tags).join(', ')],
  utm: (_, values) => {
    const query = new URLSearchParams(URL.parse(values['url'] ?? '')?.search);
    const parameters = UTM_NAMES.map((name) => values[name]?.trim() || (query.get(name) ?? ''));
    return [parameters.filter((text) => text !== '').join(' / ')];
  },
  rules: ({ text }, values) => {
    const { length: count } = draftOf(values).rules;
    return count === 0 ? [] : [text('linkForm.rulesSet', { count })];
  },
  variants: (words, values) => {
    const { variants } = draftOf(values);
    const shares = sharesOf(variants);
    return variants.map(({ name: typed }, index) => {
      const name = typed || letterOf(index);
      const share = formatShare(words, shares[index] ?? null);
      return share === '' ? name.trim() : words.text('linkForm.variantSet', { name, share }).trim();
    });
  },
  schedule: (words, { starts_at: from = '', expires_at: until = '', max_clicks: most = '' }) => [
    from && words.text('linkForm.starts', { day: dayOf(words, from) }),
    until && words.text('linkForm.expires', { day: dayOf(words, until) }),
    most && limitOf(words, most),
  ],
  password: ({ text }, { password = '', ask_first: asks, [REMOVE_PASSWORD]: remove }, hasPassword) => [
    password !== '' || (hasPassword && remove === undefined) ? text('linkForm.asksPassword') : '',
    asks === 'true' ? text('linkForm.asksFirst') : '',
  ],
  preview: ({ text }, values) => [
    values[inputOf('title')] ?? '',
    values[inputOf('description')] ? text('linkForm.descriptionSet') : '',
    values[inputOf('image')] ? text('linkForm.imageSet') : '',
  ],
  app: (_, { fallback = '' }) => [fallback && shownUrl(fallback).host],
  redirect: ({ text }, values) => [
    (values['redirect_status'] ?? '302') === '302' ? '' : values['redirect_status']!,
    (values['forward_query'] ?? '') === '' ? '' : text('linkForm.withParameters'),
    values['forward_path'] === 'true' ? text('linkForm.withPath') : '',
    values['inspectable'] === 'false' ? text('linkForm.notInspectable') : '',
    values['check_destination'] === 'true' ? text('linkForm.isChecked') : '',
    values['check_destination'] === 'false' ? text('linkForm.isNotChecked') : '',
  ],
  comments: (_, { comments = '' }) => [comments.trim().split('\n', 1)[0] ?? ''],
  developers: (words, values) =>
    FIELD_NAMES.filter((name) => fieldOf(name)?.input?.section === 'developers' && (values[name] ?? '') !== '').map(
      (name) => labelOf(words, name),
    ),
};

function limitOf({ text }: PageWords, typed: string): string {
  return /^\d{1,9}$/.test(typed)
    ? text('linkForm.afterClicks', { count: Number(typed) })
    : text('linkForm.afterTyped', { typed });
}

function tagsOf(text: string): readonly string[] {
  const names = splitTags(text);
  return Array.isArray(names) ? names.map(String) : [];
}

const NO_DRAFT: RoutesDraft = { rules: [], variants: [] };
const draftOf = (values: Texts) => takeDraft(values).draft ?? NO_DRAFT;

/** The day of a typed time, as it was typed: the time zone of the form is that of the words. */
function dayOf({ day }: PageWords, typed: string): string {
  const at = Date.parse(`${typed}Z`);
  return Number.isNaN(at) ? typed : day(new Date(at).toISOString().slice(0, 10));
}

import type { IconName } from '../../../design/icon-names.ts';
import { FIELD_NAMES, fieldOf, linkFields } from '../../../links/fields/table.ts';
import { UTM_NAMES } from '../../../links/destinations/utm.ts';
import { splitTags } from '../../../links/tags/names.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { formatCount } from '../../kit/numbers.ts';
import { shownUrl } from '../display-url.ts';
import { sharesOf } from '../routes/actions.ts';
import { takeDraft, type RoutesDraft } from '../routes/draft.ts';
import { formatShare } from '../routes-in-words.ts';
import { REMOVE_PASSWORD } from './fields.ts';
import { inputOf, PREVIEW_LABELS, PREVIEW_PARTS } from './parts.ts';

/** The options of a link, and in words what each is set to, as the form has it. */

interface OptionText {
  readonly label: string;
  readonly icon: IconName;
  /** The words while nothing is set. */
  readonly unset: string;
}

/** The options in the order of the form. */
export const OPTIONS = {
  campaign: { label: 'Campaign and tags', icon: 'megaphone', unset: 'None' },
  utm: { label: 'UTM', icon: 'chart-line', unset: 'None' },
  rules: { label: 'Rules', icon: 'route', unset: 'None' },
  variants: { label: 'A/B test', icon: 'split', unset: 'Off' },
  schedule: { label: 'Start and end', icon: 'hourglass', unset: 'Never ends' },
  password: { label: 'Password', icon: 'lock', unset: 'None' },
  preview: { label: 'Preview', icon: 'image', unset: 'As on the page' },
  app: { label: 'App', icon: 'smartphone', unset: 'No fallback' },
  redirect: { label: 'Redirect', icon: 'corner-down-right', unset: 'As usual' },
  comments: { label: 'Comments', icon: 'message-circle', unset: 'None' },
  developers: { label: 'For developers', icon: 'terminal', unset: 'None' },
} as const satisfies Readonly<Record<string, OptionText>>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

type Texts = Readonly<Record<string, string>>;

// More is cut by every screen.
const MAX_SHOWN = 80;

/** An option in words, such as "3 rules"; null if nothing is set. */
export function wordsOfOption(name: OptionName, values: Texts, { hasPassword = false } = {}): string | null {
  const words = WORDS[name](values, hasPassword).filter((word) => word !== '');
  return words.length === 0 ? null : words.join(' · ').slice(0, MAX_SHOWN);
}

const WORDS: Readonly<Record<OptionName, (values: Texts, hasPassword: boolean) => readonly string[]>> = {
  campaign: ({ campaign_name: campaign = '', tags = '' }) => [campaign.trim(), tagsOf(tags).join(', ')],
  utm: (values) => {
    const query = new URLSearchParams(URL.parse(values['url'] ?? '')?.search);
    const parameters = UTM_NAMES.map((name) => values[name]?.trim() || (query.get(name) ?? ''));
    return [parameters.filter((text) => text !== '').join(' / ')];
  },
  rules: (values) => {
    const { length } = draftOf(values).rules;
    return length === 0 ? [] : [length === 1 ? '1 rule' : `${length} rules`];
  },
  variants: (values) => {
    const { variants } = draftOf(values);
    const shares = sharesOf(variants);
    return variants.map(({ name }, index) =>
      `${name || String.fromCodePoint(0x41 + index)} ${formatShare(shares[index] ?? null)}`.trim(),
    );
  },
  schedule: ({ starts_at: from = '', expires_at: until = '', max_clicks: most = '' }) => [
    from && `starts ${dayOf(from)}`,
    until && `expires ${dayOf(until)}`,
    most && `after ${/^\d{1,9}$/.test(most) ? formatCount(Number(most)) : most} clicks`,
  ],
  password: ({ password = '', ask_first: asks, [REMOVE_PASSWORD]: remove }, hasPassword) => [
    password !== '' || (hasPassword && remove === undefined) ? 'Asks for it' : '',
    asks === 'true' ? 'asks first' : '',
  ],
  preview: (values) => {
    const set = PREVIEW_PARTS.filter((part) => (values[inputOf(part)] ?? '') !== '');
    return [values[inputOf('title')] ?? '', ...set.filter((part) => part !== 'title').map(labelOf)];
  },
  app: ({ fallback = '' }) => [fallback && shownUrl(fallback).host],
  redirect: (values) => [
    (values['redirect_status'] ?? '302') === '302' ? '' : values['redirect_status']!,
    (values['forward_query'] ?? '') === '' ? '' : 'with parameters',
    values['forward_path'] === 'true' ? 'with the path' : '',
    values['inspectable'] === 'false' ? 'not inspectable' : '',
    CHECKED[values['check_destination'] ?? ''] ?? '',
  ],
  comments: ({ comments = '' }) => [comments.trim().split('\n', 1)[0] ?? ''],
  developers: (values) =>
    FIELD_NAMES.filter((name) => fieldOf(name)?.input?.section === 'developers' && (values[name] ?? '') !== '').map(
      (name) => linkFields[name].label,
    ),
};

const CHECKED: Readonly<Record<string, string>> = {
  true: 'destination is checked',
  false: 'destination is not checked',
};

const labelOf = (part: (typeof PREVIEW_PARTS)[number]) => PREVIEW_LABELS[part].toLowerCase();

function tagsOf(text: string): readonly string[] {
  const names = splitTags(text);
  return Array.isArray(names) ? names.map(String) : [];
}

const NO_DRAFT: RoutesDraft = { rules: [], variants: [] };
const draftOf = (values: Texts) => takeDraft(values).draft ?? NO_DRAFT;

const days = lazy(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

/** The day of a typed time, as it was typed: the time zone of the form is that of the words. */
function dayOf(typed: string): string {
  const at = Date.parse(`${typed}Z`);
  return Number.isNaN(at) ? typed : days().format(at);
}

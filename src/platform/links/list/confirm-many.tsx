import type { Child } from 'hono/jsx';
import { MAX_TAGS_OF_LINK } from '../../../links/tags/names.ts';
import type { BulkAction } from '../../../links/edit/many-rules.ts';
import type { FormState } from '../../forms/form.ts';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { Field, Hidden } from '../../kit/form.tsx';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { TAGS, Tags } from '../../tags/offered.tsx';
import { CAMPAIGNS, Campaigns } from '../campaigns.tsx';
import { displayUrl } from '../display-url.ts';
import { useWords, type PageWords, type PlainKey, type WordKey } from '../../words.tsx';

/** The labels of the buttons for many links. */
export const MANY_LABELS = {
  disable: 'linkList.disable',
  enable: 'linkList.enable',
  delete: 'kit.delete',
  restore: 'linkList.restore',
  campaign: 'linkList.setCampaign',
  expiry: 'linkList.setExpiry',
  tag: 'linkList.addTag',
  untag: 'linkList.removeTag',
} as const satisfies Readonly<Record<BulkAction, PlainKey>>;

/** The question before each action, and the label of its button. */
const QUESTIONS = {
  disable: ['linkList.askDisable', 'linkList.disableThese'],
  enable: ['linkList.askEnable', 'linkList.enableThese'],
  delete: ['linkList.askDelete', 'linkList.deleteThese'],
  restore: ['linkList.askRestore', 'linkList.restoreThese'],
  campaign: ['linkList.askCampaign', 'linkList.setCampaignOfThese'],
  expiry: ['linkList.askExpiry', 'linkList.setExpiryOfThese'],
  tag: ['linkList.askTag', 'linkList.tagThese'],
  untag: ['linkList.askUntag', 'linkList.untagThese'],
} as const satisfies Readonly<Record<BulkAction, readonly [title: WordKey, label: WordKey]>>;

const EFFECTS = {
  enable: 'linkList.enableEffect',
  restore: 'linkList.enableEffect',
  campaign: 'linkList.campaignEffect',
  expiry: 'linkList.expiryEffect',
  untag: 'linkList.untagEffect',
} as const satisfies Readonly<Record<Exclude<BulkAction, 'disable' | 'delete' | 'tag'>, PlainKey>>;

function effectOf({ text }: PageWords, action: BulkAction, count: number): string {
  if (action === 'disable') return text('linkList.disableEffect', { count });
  if (action === 'delete') return text('linkList.deleteEffect', { count });
  return action === 'tag' ? text('linkList.tagEffect', { most: MAX_TAGS_OF_LINK }) : text(EFFECTS[action]);
}

const NAMED = 10;

interface FieldsProps {
  readonly form: FormState;
  readonly timeZone: string;
  /** The campaigns that can be chosen. */
  readonly campaigns: readonly string[];
  /** The tags that can be chosen. */
  readonly tags: readonly ColouredTag[];
}

const tagField = ({ text }: PageWords, { form, tags }: FieldsProps) => (
  <>
    <Field form={form} name="tag" label={text('linkList.tag')} list={TAGS} />
    <Tags tags={tags} />
  </>
);

/** The field of an action that sets a value. */
const FIELDS: Readonly<Partial<Record<BulkAction, (words: PageWords, props: FieldsProps) => Child>>> = {
  campaign: ({ text }, { form, campaigns }) => (
    <>
      <Field form={form} name="campaign_name" label={text('linkForm.campaignName')} list={CAMPAIGNS} optional />
      <Campaigns names={campaigns} />
    </>
  ),
  tag: tagField,
  untag: tagField,
  expiry: ({ text }, { form, timeZone }) => (
    <Field
      form={form}
      name="expires_at"
      type="datetime-local"
      label={text('linkForm.expiresAt')}
      hint={text('linkList.expiryHint', { zone: timeZone.replaceAll('_', ' ') })}
      optional
    />
  ),
};

/** Asks for confirmation before an action on many links. */
export function ConfirmMany({
  action,
  back,
  query,
  links,
  form,
  timeZone,
  campaigns,
  tags,
}: FieldsProps & {
  action: BulkAction;
  back: string;
  query: string;
  links: readonly { readonly id: string; readonly shortUrl: string }[];
}) {
  const words = useWords();
  const { text } = words;
  const count = links.length;
  const [title, label] = QUESTIONS[action];
  return (
    <ConfirmPage
      title={text(title, { count })}
      label={text(label, { count })}
      back={back}
      kind={action === 'delete' ? 'danger' : 'primary'}
      form={form}
      hidden={
        <>
          <Hidden name="do" value={action} />
          <Hidden name="back" value={query} />
          {links.map(({ id }) => (
            <Hidden name="id" value={id} />
          ))}
        </>
      }
      fields={FIELDS[action]?.(words, { form, timeZone, campaigns, tags })}
    >
      <p>{effectOf(words, action, count)}</p>
      <ul class="named">
        {links.slice(0, NAMED).map(({ shortUrl }) => (
          <li class="cut">{displayUrl(shortUrl)}</li>
        ))}
        {count > NAMED && <li class="quiet">{text('linkList.more', { count: count - NAMED })}</li>}
      </ul>
    </ConfirmPage>
  );
}

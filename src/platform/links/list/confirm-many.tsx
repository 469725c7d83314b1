import type { Child } from 'hono/jsx';
import { MAX_TAGS_OF_LINK } from '../../../links/tags/names.ts';
import { SETTINGS, type BulkAction } from '../../../links/edit/many-rules.ts';
import { linkFields } from '../../../links/fields/table.ts';
import type { FormState } from '../../forms/form.ts';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { Field, Hidden } from '../../kit/form.tsx';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { TAGS, Tags } from '../../tags/offered.tsx';
import { CAMPAIGNS, Campaigns } from '../campaigns.tsx';
import { displayUrl } from '../display-url.ts';

/** The labels of the buttons for many links. */
export const MANY_LABELS: Readonly<Record<BulkAction, string>> = {
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
  campaign: 'Set campaign',
  expiry: 'Set expiry',
  tag: 'Tag',
  untag: 'Remove tag',
};

const QUESTIONS: Readonly<Record<BulkAction, string>> = {
  disable: 'Visitors see a page that says the link is no longer available, until you enable it again.',
  enable: 'Visitors are redirected to the destination again.',
  delete: 'Visitors see a page that says the link is no longer available. You can restore it within 30 days.',
  restore: 'Visitors are redirected to the destination again.',
  campaign: 'Future clicks count for the campaign. Leave it empty to remove the links from their campaigns.',
  expiry: 'After that, visitors see a page that says the link is no longer available. Leave it empty for never.',
  tag: `A tag that does not exist is created. Links that have ${MAX_TAGS_OF_LINK} tags are left out.`,
  untag: 'The links lose one tag. The tag itself stays.',
};

const NAMED = 10;

interface FieldsProps {
  readonly form: FormState;
  readonly timeZone: string;
  /** The campaigns that can be chosen. */
  readonly campaigns: readonly string[];
  /** The tags that can be chosen. */
  readonly tags: readonly ColouredTag[];
}

const tagField = ({ form, tags }: FieldsProps) => (
  <>
    <Field form={form} name="tag" label="Tag" list={TAGS} />
    <Tags tags={tags} />
  </>
);

/** The field of an action that sets a value. */
const FIELDS: Readonly<Partial<Record<BulkAction, (props: FieldsProps) => Child>>> = {
  campaign: ({ form, campaigns }) => (
    <>
      <Field form={form} name="campaign_name" label={linkFields.campaign_name.label} list={CAMPAIGNS} optional />
      <Campaigns names={campaigns} />
    </>
  ),
  tag: tagField,
  untag: tagField,
  expiry: ({ form, timeZone }) => (
    <Field
      form={form}
      name="expires_at"
      type="datetime-local"
      label={linkFields.expires_at.label}
      hint={`Time in ${timeZone.replaceAll('_', ' ')}. Links that start later are left out.`}
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
  const count = links.length === 1 ? 'this link' : `${links.length} links`;
  const what =
    action === 'untag' ? `from ${count}` : SETTINGS.some((setting) => setting === action) ? `of ${count}` : count;
  return (
    <ConfirmPage
      title={`${MANY_LABELS[action]} ${what}?`}
      label={`${MANY_LABELS[action]} ${what}`}
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
      fields={FIELDS[action]?.({ form, timeZone, campaigns, tags })}
    >
      <p>{QUESTIONS[action]}</p>
      <ul class="named">
        {links.slice(0, NAMED).map(({ shortUrl }) => (
          <li class="cut">{displayUrl(shortUrl)}</li>
        ))}
        {links.length > NAMED && <li class="quiet">and {links.length - NAMED} more</li>}
      </ul>
    </ConfirmPage>
  );
}

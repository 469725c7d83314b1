import { EVENT_NAMES, EVENT_TYPES } from '../../events/types.ts';
import type { ColouredTag } from '../../links/tags/tags.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { FormState } from '../forms/form.ts';
import { CheckboxGroup } from '../kit/boxes.tsx';
import { Field, Select } from '../kit/form.tsx';
import { CAMPAIGNS, Campaigns } from '../links/campaigns.tsx';
import { typedUrl } from '../links/display-url.ts';

/** The choices that the fields of a webhook offer. */
export interface Offered {
  readonly tags: readonly ColouredTag[];
  readonly campaigns: readonly string[];
}

// A sentence of the API names a field in backticks.
const hintOf = (description: string) => description.replaceAll('`', '');

const EVENTS = EVENT_NAMES.map((name) => ({ value: name, label: name, hint: hintOf(EVENT_TYPES[name].description) }));

/** The choices while the tags and campaigns of the workspace cannot be read. */
export const NONE_OFFERED: Offered = { tags: [], campaigns: [] };

/** The fields of a new webhook, and of one that is changed. */
export function WebhookFields({ form, tags, campaigns }: Offered & { form: FormState }) {
  const chosen = form.values['tag'] ?? '';
  // A tag that is not offered now stays chosen.
  const isOffered = chosen === '' || tags.some(({ id }) => id === chosen);
  return (
    <>
      <Field
        form={form}
        name="url"
        label="URL"
        type="url"
        hint="An https URL of a server that everyone on the internet can reach."
        placeholder="https://example.com/webhooks"
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        form={form}
        name="description"
        label="Description"
        hint="Shown in the list of webhooks."
        autocomplete="off"
        optional
      />
      <CheckboxGroup form={form} name="events" label="Events" options={EVENTS} />
      <Select
        form={form}
        name="tag"
        label="Tag"
        hint="Limits events about links to those with this tag."
        options={[
          { value: '', label: 'All links' },
          ...tags.map(({ id, name }) => ({ value: id, label: name })),
          ...(isOffered ? [] : [{ value: chosen, label: 'The tag that you chose' }]),
        ]}
        optional
      />
      <Field
        form={form}
        name="campaign_name"
        label="Campaign"
        hint="Limits events about links to those of this campaign. Case does not matter."
        list={CAMPAIGNS}
        autocomplete="off"
        optional
      />
      <Campaigns names={campaigns} />
    </>
  );
}

/** The values of the fields of a webhook. */
export const valuesOf = ({ url, description, events, tag, campaignName }: Webhook): Record<string, string> => ({
  url: typedUrl(url),
  description,
  events: events.join(' '),
  tag: tag?.id ?? '',
  campaign_name: campaignName ?? '',
});

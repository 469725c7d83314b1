import { EVENT_NAMES } from '../../events/types.ts';
import type { ColouredTag } from '../../links/tags/tags.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { FormState } from '../forms/form.ts';
import { CheckboxGroup } from '../kit/boxes.tsx';
import { Field, Select } from '../kit/form.tsx';
import { CAMPAIGNS, Campaigns } from '../links/campaigns.tsx';
import { typedUrl } from '../links/display-url.ts';
import { useWords, type PageWords } from '../words.tsx';

/** The choices that the fields of a webhook offer. */
export interface Offered {
  readonly tags: readonly ColouredTag[];
  readonly campaigns: readonly string[];
}

const eventsIn = ({ text }: PageWords) =>
  EVENT_NAMES.map((name) => ({ value: name, label: name, hint: text(`events.${name}`) }));

/** The choices while the tags and campaigns of the workspace cannot be read. */
export const NONE_OFFERED: Offered = { tags: [], campaigns: [] };

/** The fields of a new webhook, and of one that is changed. */
export function WebhookFields({
  form,
  tags,
  campaigns,
  isNew = false,
}: Offered & { form: FormState; isNew?: boolean }) {
  const words = useWords();
  const { text } = words;
  const chosen = form.values['tag'] ?? '';
  // A tag that is not offered now stays chosen.
  const isOffered = chosen === '' || tags.some(({ id }) => id === chosen);
  return (
    <>
      <Field
        form={form}
        name="url"
        label={text('webhooks.url')}
        type="url"
        hint={text('webhooks.urlHint')}
        placeholder="https://example.com/webhooks"
        autofocus={isNew}
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        form={form}
        name="description"
        label={text('webhooks.description')}
        hint={text('webhooks.descriptionHint')}
        autocomplete="off"
        optional
      />
      <CheckboxGroup form={form} name="events" label={text('webhooks.events')} options={eventsIn(words)} />
      <Select
        form={form}
        name="tag"
        label={text('tags.tag')}
        hint={text('webhooks.tagHint')}
        options={[
          { value: '', label: text('webhooks.allLinks') },
          ...tags.map(({ id, name }) => ({ value: id, label: name })),
          ...(isOffered ? [] : [{ value: chosen, label: text('webhooks.chosenTag') }]),
        ]}
        optional
      />
      <Field
        form={form}
        name="campaign_name"
        label={text('webhooks.campaign')}
        hint={text('webhooks.campaignHint')}
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

import type { Child, PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../form.ts';
import { Field, TextArea } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';

/** The part of a link's form that is beside its target and slug; below the fields come the form's buttons. */
export function Details({
  form,
  timeZone,
  hints,
  hasSecId = false,
  children,
}: PropsWithChildren<{
  form: FormState;
  timeZone: string;
  hints: Readonly<Record<'campaign_name' | 'sec_id' | 'metadata', Child>> & {
    /** Said after whose clocks are meant. */
    readonly expires_at?: string;
  };
  /** Whether the link has a secondary ID, which it keeps or changes but does not lose. */
  hasSecId?: boolean;
}>) {
  const shared = { form, optional: true } as const;
  const clocks = `On the clocks of ${timeZone.replaceAll('_', ' ')}.`;
  return (
    <Section id="more" title="Details" hint="For finding the link again and telling its clicks from others.">
      <Field {...shared} name="campaign_name" label="Campaign" hint={hints.campaign_name} />
      <Field
        form={form}
        optional={!hasSecId}
        name="sec_id"
        label="Secondary ID"
        hint={hints.sec_id}
        spellcheck={false}
        code
      />
      <Field
        {...shared}
        name="expires_at"
        type="datetime-local"
        label="Ends at"
        hint={[clocks, hints.expires_at].filter(Boolean).join(' ')}
      />
      <TextArea {...shared} name="metadata" label="Metadata" hint={hints.metadata} rows={3} code />
      {children}
    </Section>
  );
}

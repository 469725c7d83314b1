import type { Child } from 'hono/jsx';
import type { FormSection } from '../../../links/fields/field.ts';
import { FIELD_NAMES, fieldOf } from '../../../links/fields/table.ts';
import type { FormState } from '../../forms/form.ts';
import { Checkbox } from '../../kit/boxes.tsx';
import { Field, TextArea } from '../../kit/form.tsx';
import { useWords } from '../../words.tsx';
import { takeDraft } from '../routes/draft.ts';
import { RulesEditor } from '../routes/rules-editor.tsx';
import { VariantsEditor } from '../routes/variants-editor.tsx';
import { Detail } from './detail.tsx';
import { FEW_CLICKS, FewClicks } from './few-clicks.tsx';
import { REMOVE_PASSWORD } from './fields.ts';
import { Option } from './option.tsx';
import { inputOf, PREVIEW_LABELS, PREVIEW_PARTS } from './parts.ts';

interface OptionsProps {
  readonly form: FormState;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly timeZone: string;
  /** The link's custom domain, if it has one or can get one. */
  readonly hasCustomDomain: boolean;
  /** Null for a new link. */
  readonly stored: { readonly hasPassword: boolean } | null;
  /** The content of the option about UTM parameters, and the names of its fields. */
  readonly utm: { readonly content: Child; readonly fields: readonly string[] };
}

/** The options of a link: rows that say what is set, each with a panel of its own. */
export function Options(props: OptionsProps) {
  const { form, stored, utm } = props;
  const { rules, variants } = takeDraft(form.values).draft ?? { rules: [], variants: [] };
  const hasPassword = stored?.hasPassword === true;
  const { text } = useWords();
  return (
    <div class="options">
      <FieldsOption {...props} name="campaign" />
      <Option name="utm" fields={utm.fields} form={form}>
        {utm.content}
      </Option>
      <Option name="rules" fields={['rules']} form={form}>
        <RulesEditor {...props} rules={rules} />
      </Option>
      <Option name="variants" fields={['variants']} form={form}>
        <VariantsEditor {...props} variants={variants} />
      </Option>
      <FieldsOption {...props} name="schedule">
        <div class="suggestion" id={FEW_CLICKS} aria-live="polite">
          <FewClicks values={form.values} />
        </div>
      </FieldsOption>
      <FieldsOption {...props} name="password">
        {hasPassword && (
          <Checkbox
            name={REMOVE_PASSWORD}
            label={text('linkForm.removePassword')}
            checked={form.values[REMOVE_PASSWORD] !== undefined}
          />
        )}
      </FieldsOption>
      <PreviewOption form={form} />
      <FieldsOption {...props} name="app" />
      <FieldsOption {...props} name="redirect" />
      <FieldsOption {...props} name="comments" />
      <FieldsOption {...props} name="developers" />
    </div>
  );
}

/** The fields of the table that are in a part of the form. */
function FieldsOption({ name, children, ...props }: OptionsProps & { name: FormSection; children?: Child }) {
  const { form, timeZone, stored, hasCustomDomain } = props;
  const hasPassword = stored?.hasPassword === true;
  const fields = FIELD_NAMES.filter(
    (each) => fieldOf(each)?.input?.section === name && (each !== 'forward_path' || hasCustomDomain),
  );
  return (
    <Option name={name} fields={fields} {...{ form, hasPassword }}>
      {fields.map((each) => (
        <Detail {...{ form, timeZone }} name={each} isNew={stored === null || (each === 'password' && !hasPassword)} />
      ))}
      {children}
    </Option>
  );
}

function PreviewOption({ form }: { form: FormState }) {
  const [title, description, image] = PREVIEW_PARTS.map(inputOf) as [string, string, string];
  const shared = { form, optional: true } as const;
  const { text } = useWords();
  return (
    <Option name="preview" fields={['preview']} form={form}>
      <p class="hint">{text('linkForm.previewHint')}</p>
      <Field {...shared} name={title} label={text(PREVIEW_LABELS.title)} />
      <TextArea {...shared} name={description} label={text(PREVIEW_LABELS.description)} rows={3} />
      <Field
        {...shared}
        name={image}
        type="url"
        label={text(PREVIEW_LABELS.image)}
        placeholder="https://example.com/image.png"
        code
      />
    </Option>
  );
}

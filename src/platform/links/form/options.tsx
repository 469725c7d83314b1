import type { Child, PropsWithChildren } from 'hono/jsx';
import type { FormSection } from '../../../links/fields/field.ts';
import { FIELD_NAMES, fieldOf } from '../../../links/fields/table.ts';
import type { FormState } from '../../forms/form.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Checkbox, Field, TextArea } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { Detail } from './detail.tsx';
import { REMOVE_PASSWORD } from './fields.ts';
import { ACTION } from './link-form.ts';
import { inputOf } from './parts.ts';
import { takeDraft } from '../routes/draft.ts';
import { hasFault } from '../routes/editor-parts.tsx';
import { RulesEditor } from '../routes/rules-editor.tsx';
import { VariantsEditor } from '../routes/variants-editor.tsx';

interface OptionsProps {
  readonly form: FormState;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly timeZone: string;
  /** The link's custom domain, if it has one or can get one. */
  readonly hasCustomDomain: boolean;
  /** Null for a new link. */
  readonly stored: { readonly hasPassword: boolean } | null;
  readonly title?: string;
  /** Folds before the others. */
  readonly first?: Child;
}

/** The options that few links have, each part folded until it is used; below come the form's buttons. */
export function Options({ children, ...props }: PropsWithChildren<OptionsProps>) {
  const { form, stored, title = 'Options', first } = props;
  const { rules, variants } = takeDraft(form.values).draft ?? { rules: [], variants: [] };
  return (
    <Section
      id="options"
      title={title}
      hint="Where visitors are redirected, when, how often, and what is shown of the link."
    >
      <div class="folds">
        {first}
        <OptionDisclosure label="Rules" isUsed={rules.length > 0} names={['rules']} {...{ form }}>
          <RulesEditor {...props} rules={rules} />
        </OptionDisclosure>
        <OptionDisclosure label="Variants (A/B)" isUsed={variants.length > 0} names={['variants']} {...{ form }}>
          <VariantsEditor {...props} variants={variants} />
        </OptionDisclosure>
        <FieldsFold {...props} section="schedule" label="Schedule and limit" />
        <FieldsFold {...props} section="password" label="Password" isUsed={stored?.hasPassword === true}>
          {stored?.hasPassword && (
            <Checkbox
              name={REMOVE_PASSWORD}
              label="Remove the password"
              checked={form.values[REMOVE_PASSWORD] !== undefined}
            />
          )}
        </FieldsFold>
        <FieldsFold {...props} section="redirect" label="Redirect" />
        <PreviewFold form={form} />
      </div>
      {children}
    </Section>
  );
}

/** The fields of the table that are in a section. */
function FieldsFold({
  section,
  label,
  isUsed = false,
  children,
  ...props
}: PropsWithChildren<OptionsProps & { section: FormSection; label: string; isUsed?: boolean }>) {
  const { form, timeZone, stored, hasCustomDomain } = props;
  const fields = FIELD_NAMES.flatMap((name) => {
    const field = fieldOf(name);
    const isShown = name !== 'forward_path' || hasCustomDomain;
    return field?.input?.section === section && isShown ? [{ name, field }] : [];
  });
  const isSet = fields.some(({ name, field: { input } }) => {
    const text = form.values[name] ?? '';
    return text !== '' && text !== input?.choiceIfAbsent;
  });
  return (
    <OptionDisclosure label={label} isUsed={isUsed || isSet} names={fields.map(({ name }) => name)} form={form}>
      {fields.map(({ name, field }) => (
        <Detail {...{ name, field, form, timeZone }} isNew={stored === null || (section === 'password' && !isUsed)} />
      ))}
      {children}
    </OptionDisclosure>
  );
}

function PreviewFold({ form }: { form: FormState }) {
  const [title, description, image] = [inputOf('title'), inputOf('description'), inputOf('image')];
  const names = [title, description, image];
  const isUsed = names.some((name) => (form.values[name] ?? '') !== '');
  const shared = { form, optional: true } as const;
  return (
    <OptionDisclosure label="Link preview" isUsed={isUsed} names={['preview']} form={form}>
      <p class="hint">
        What messengers and social networks show of the short link, instead of the texts of the destination.
      </p>
      <Field {...shared} name={title} label="Title of the preview" />
      <TextArea {...shared} name={description} label="Description" rows={3} />
      <Field {...shared} name={image} type="url" label="Image" placeholder="https://example.com/image.png" code />
    </OptionDisclosure>
  );
}

/** A fold that is open where it has values or errors. */
export function OptionDisclosure({
  label,
  isUsed,
  names,
  form,
  children,
}: {
  label: string;
  isUsed: boolean;
  /** The fields whose errors it shows. */
  names: readonly string[];
  form: FormState;
  children: Child;
}) {
  const changed = form.values[ACTION] ?? '';
  const isOpen = isUsed || names.some((name) => hasFault(form, name) || changed.startsWith(`${name}.`));
  return (
    <Disclosure label={label} open={isOpen}>
      <div class="fold-fields">{children}</div>
    </Disclosure>
  );
}

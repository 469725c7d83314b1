import { useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../forms/form.ts';
import { TYPED_BY } from '../forms/resume-form.ts';
import { Button, ButtonLink, type ButtonKind } from './button.tsx';
import { FirstField } from './first-field.ts';
import { Field, Hidden } from './form.tsx';
import { OwnAddress } from './own-address.ts';
import { isRefused, WithSummary } from './summary.tsx';
import { unsavedOf } from './unsaved.ts';
import { useWords } from '../words.tsx';
import { ViewerId } from './viewer.ts';

/**
 * Asks for confirmation: the whole content of a page that a `ButtonLink` with `confirms` leads to, and of the dialog that
 * opens in its place. The focus is in the first field, or on Cancel where there is none, so that Enter alone deletes
 * nothing. Its form posts to the path of that page.
 */
export function ConfirmPage({
  title,
  label,
  back,
  kind = 'danger',
  form,
  fields,
  hidden,
  children,
}: PropsWithChildren<{
  title: string;
  /** The action of the button, as a verb and its object. */
  label: string;
  /** The path of the page to go back to. */
  back: string;
  kind?: ButtonKind;
  /** The form with its faults, if its path shows it again. */
  form?: FormState;
  /** The fields to fill in. */
  fields?: Child;
  /** The hidden fields. */
  hidden?: Child;
}>) {
  const viewerId = useContext(ViewerId);
  const action = useContext(OwnAddress);
  const isAsked = form === undefined || !isRefused(form);
  const hasFields = Boolean(fields);
  const focused = <FirstField.Provider value={isAsked ? { isTaken: false } : null}>{fields}</FirstField.Provider>;
  return (
    <div class="confirm" data-confirm>
      <h1>{title}</h1>
      <div class="prose">{children}</div>
      <form method="post" action={action} class="form" {...(form && unsavedOf(form))} novalidate>
        {form && viewerId !== null && <Hidden name={TYPED_BY} value={viewerId} />}
        {hidden}
        {form ? <WithSummary form={form}>{focused}</WithSummary> : focused}
        <div class="actions">
          <Button kind={kind}>{label}</Button>
          <ButtonLink href={back} hasFocus={isAsked && !hasFields}>
            {useWords().text('kit.cancel')}
          </ButtonLink>
        </div>
      </form>
    </div>
  );
}

/** The field `name` of such a form, into which the name of what is deleted has to be typed. */
export function TypedName({ form, label, name }: { form: FormState; label: string; name: string }) {
  return (
    <Field
      form={form}
      name="name"
      label={label}
      hint={useWords().content('kit.typeName', { name, whole: (inside) => <bdi class="whole">{inside}</bdi> })}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

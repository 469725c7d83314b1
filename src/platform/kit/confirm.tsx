import type { Child, PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../form.ts';
import { Button, ButtonLink, type ButtonKind } from './button.tsx';
import { Notice } from './notice.tsx';

/**
 * Asks once more, before what cannot be undone: the whole content of a page that a `ButtonLink` with `confirms` leads to.
 * Its form posts to that page's own path.
 */
export function ConfirmPage({
  title,
  label,
  back,
  kind = 'danger',
  form,
  fields,
  children,
}: PropsWithChildren<{
  title: string;
  /** What the button does, as a verb and its object. */
  label: string;
  /** The path of the page to go back to. */
  back: string;
  kind?: ButtonKind;
  /** What is to be told at the head of its form. */
  form?: FormState;
  /** What the form sends along. */
  fields?: Child;
}>) {
  return (
    <div class="confirm" data-confirm>
      <h1>{title}</h1>
      <div class="prose">{children}</div>
      <form method="post" class="form" novalidate>
        {form?.complaint && <Notice kind="danger">{form.complaint}</Notice>}
        {fields}
        <div class="actions">
          <Button kind={kind}>{label}</Button>
          <ButtonLink href={back}>Cancel</ButtonLink>
        </div>
      </form>
    </div>
  );
}

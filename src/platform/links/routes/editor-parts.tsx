import type { PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../../forms/form.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/form.tsx';
import { useWords } from '../../words.tsx';
import { labelOf } from '../field-words.ts';

/** The parts that the editors of rules and variants share. */

/** The props of an editor from its form. */
export interface EditorProps {
  readonly form: FormState;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly timeZone: string;
}

/** The name and the destination of a rule or a variant. */
export function RouteInputs({ form, place, called }: { form: FormState; place: string; called: string }) {
  const words = useWords();
  return (
    <>
      <Field
        form={form}
        name={`${place}.name`}
        label={words.text('kit.name')}
        within={called}
        placeholder={called}
        optional
      />
      <Field
        form={form}
        name={`${place}.url`}
        type="url"
        label={labelOf(words, 'url')}
        within={called}
        placeholder="https://example.com/page"
        code
      />
    </>
  );
}

/** Changes a list of the form without saving it: sends the form, whose page is shown again with what was typed. */
export function EditButton({
  action,
  does,
  focus,
  label,
  children,
}: PropsWithChildren<{
  action: string;
  /** The action of the button, as `applyAction` knows it, such as `rules.2.up`. */
  does: string;
  /** The id of the control that has the focus afterwards. */
  focus: string;
  /** The text for screen readers. */
  label?: string | undefined;
}>) {
  return (
    <Button kind="quiet" small name="do" value={does} id={does} action={`${action}#${focus}`} label={label}>
      {children}
    </Button>
  );
}

/** Shows the page again with what depends on a choice, where no script does it. */
export function UpdateButton({ action, focus, label }: { action: string; focus: string; label: string }) {
  return (
    <noscript>
      <Button kind="quiet" small name="do" value="update" action={`${action}#${focus}`} label={label}>
        {useWords().text('routes.update')}
      </Button>
    </noscript>
  );
}

/** True if a part of the form has an error. */
export const hasFault = (form: FormState, part: string): boolean =>
  Object.keys(form.faults).some((name) => name === part || name.startsWith(`${part}.`));

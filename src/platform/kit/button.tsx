import type { PropsWithChildren } from 'hono/jsx';
import { useWords } from '../words.tsx';

/** `primary`: one in each form; `quiet`: the others; `danger`: for what cannot be undone. */
export type ButtonKind = 'primary' | 'quiet' | 'danger';

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
  /** Sent with the form that it submits. */
  readonly name?: string;
  readonly value?: string;
  /** Where its form is sent, if that is not where the form says; a fragment names what then has the focus. */
  readonly action?: string;
  readonly id?: string;
  /** The text for screen readers, if the visible text does not say which of several things it is about. */
  readonly label?: string | undefined;
}

const classOf = (kind: ButtonKind, small: boolean) => `button ${kind}${small ? ' small' : ''}`;

/** Submits its form. */
export function Button({
  kind = 'primary',
  small = false,
  name,
  value,
  action,
  id,
  label,
  children,
}: PropsWithChildren<ButtonProps>) {
  return (
    <button
      type="submit"
      id={id}
      class={classOf(kind, small)}
      name={name}
      value={value}
      formaction={action}
      aria-label={label}
    >
      {children}
    </button>
  );
}

/** The button that Enter in a field presses, for forms in which others come before the one that sends them. */
export function DefaultButton() {
  return (
    <button type="submit" class="unseen" tabindex={-1} aria-hidden="true">
      {useWords().text('kit.save')}
    </button>
  );
}

/**
 * A link that looks like a button, to another page. With `confirms` it leads to a `ConfirmPage`, which opens as a
 * dialog if scripts run.
 */
export function ButtonLink({
  href,
  kind = 'quiet',
  small = false,
  confirms = false,
  closes = false,
  hasFocus = false,
  label,
  children,
}: PropsWithChildren<{
  href: string;
  kind?: ButtonKind;
  small?: boolean;
  confirms?: boolean;
  /** True if it closes the dialog in which its page is shown. */
  closes?: boolean;
  /** True if it has the focus when the page opens. */
  hasFocus?: boolean;
  label?: string;
}>) {
  return (
    <a
      class={classOf(kind, small)}
      href={href}
      data-confirms={confirms ? '' : undefined}
      data-close={closes ? '' : undefined}
      aria-label={label}
      autofocus={hasFocus}
    >
      {children}
    </a>
  );
}

/** Buttons side by side; below each other on a phone. */
export function Actions({ children }: PropsWithChildren) {
  return <div class="actions">{children}</div>;
}

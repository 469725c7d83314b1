import type { PropsWithChildren } from 'hono/jsx';
import { Button, ButtonLink } from './button.tsx';

/**
 * Asks once more, before what cannot be undone: the whole content of a page that a `ButtonLink` with `confirms` leads to.
 * Its form posts to that page's own path.
 */
export function ConfirmPage({
  title,
  label,
  back,
  children,
}: PropsWithChildren<{
  title: string;
  /** What the button does, as a verb and its object. */
  label: string;
  /** The path of the page to go back to. */
  back: string;
}>) {
  return (
    <div class="confirm" data-confirm>
      <h1>{title}</h1>
      <div class="prose">{children}</div>
      <form method="post" class="actions">
        <Button kind="danger">{label}</Button>
        <ButtonLink href={back}>Cancel</ButtonLink>
      </form>
    </div>
  );
}

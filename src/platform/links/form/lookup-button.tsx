import { Button } from '../../kit/button.tsx';

/** The action of the button, as `formAfterAction` knows it. */
export const LOOKUP = 'lookup';

/**
 * Fills in the title and the preview from the destination: sends the form, whose page is shown again with what was typed.
 *
 * @param action the path that the form is sent to
 */
export function LookupButton({ action }: { action: string }) {
  return (
    <p class="lookup">
      <Button kind="quiet" small name="do" value={LOOKUP} action={action}>
        Get title and preview
      </Button>{' '}
      <span class="hint">From the page. Fills in what is empty, and saves nothing.</span>
    </p>
  );
}

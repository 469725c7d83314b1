import { Button } from '../../kit/button.tsx';
import { useWords } from '../../words.tsx';

/** The action of the button, as `formAfterAction` knows it. */
export const LOOKUP = 'lookup';

/**
 * Fills in the title and the preview from the destination: sends the form, whose page is shown again with what was typed.
 *
 * @param action the path that the form is sent to
 */
export function LookupButton({ action }: { action: string }) {
  const { text } = useWords();
  return (
    <p class="lookup">
      <Button kind="quiet" small name="do" value={LOOKUP} action={action}>
        {text('linkForm.lookUp')}
      </Button>{' '}
      <span class="hint">{text('linkForm.lookUpHint')}</span>
    </p>
  );
}

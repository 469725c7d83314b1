import { useWords } from '../../words.tsx';
import { labelOf } from '../field-words.ts';

/** The id of the suggestion, which follows what is typed. */
export const FEW_CLICKS = 'few-clicks';

/** Programs that check mails can use up a click limit up to this one before a person opens the link. */
const MAX_FEW = 5;

/** Suggests to ask first, for a link with a low click limit that does not; nothing for others. */
export function FewClicks({ values }: { values: Readonly<Record<string, string>> }) {
  const { max_clicks: most = '', ask_first: asks } = values;
  const words = useWords();
  const isFew = /^\d{1,9}$/.test(most) && Number(most) >= 1 && Number(most) <= MAX_FEW;
  if (!isFew || asks === 'true') return null;
  return (
    <p class="hint">
      {words.text('linkForm.fewClicks', {
        field: labelOf(words, 'ask_first'),
        option: words.text('linkForm.optionPassword'),
      })}
    </p>
  );
}

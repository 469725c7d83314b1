import type { Session } from '../../../accounts/sessions/session.ts';
import { useWords } from '../../words.tsx';

/** Warns a user after many wrong codes: someone who knows the password may try to get in. Shows nothing to others. */
export function WrongCodesNotice({ session: { manyWrongCodes: count } }: { session: Session }) {
  const { text } = useWords();
  return count === 0 ? null : (
    <div class="notice warning" role="status">
      <p>{text('factors.wrongCodes', { count })}</p>
    </div>
  );
}

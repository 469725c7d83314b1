import { useWords } from '../words.tsx';

/** The user's own name in a form with a password, for password managers, which want to know whose password it is. */
export function OwnUserName({ name }: { name: string }) {
  return (
    <input
      class="unseen"
      type="text"
      value={name}
      autocomplete="username"
      aria-label={useWords().text('account.userName')}
      readonly
      tabindex={-1}
    />
  );
}

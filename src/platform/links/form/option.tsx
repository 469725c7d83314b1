import type { PropsWithChildren } from 'hono/jsx';
import { Icon } from '../../../design/icon.tsx';
import type { FormState } from '../../forms/form.ts';
import { useWords } from '../../words.tsx';
import { hasFault } from '../routes/editor-parts.tsx';
import { ACTION } from './link-form.ts';
import { OPTIONS, wordsOfOption, type OptionName } from './option-words.ts';

/** The id of the words of an option, which follow what is typed. */
export const stateId = (name: OptionName): string => `state-${name}`;

/** The words of an option. */
export function OptionState({ words, name }: { words: string | null; name: OptionName }) {
  const { text } = useWords();
  return words === null ? <>{text(OPTIONS[name].unset)}</> : <bdi class="is-set">{words}</bdi>;
}

/** A row with an option, its state in words, and a panel that opens in place: by itself where it has an error. */
export function Option({
  name,
  fields,
  form,
  hasPassword = false,
  children,
}: PropsWithChildren<{
  name: OptionName;
  /** The fields whose errors it shows. */
  fields: readonly string[];
  form: FormState;
  hasPassword?: boolean;
}>) {
  const { label, icon } = OPTIONS[name];
  const words = useWords();
  const changed = form.values[ACTION] ?? '';
  const isOpen = fields.some((field) => hasFault(form, field) || changed.startsWith(`${field}.`));
  return (
    <details class="option" open={isOpen}>
      <summary>
        <span class="option-name">
          <Icon name={icon} />
          {words.text(label)}
        </span>
        <span class="option-state" id={stateId(name)}>
          <OptionState name={name} words={wordsOfOption(words, name, form.values, { hasPassword })} />
        </span>
        <Icon name="chevron-right" />
      </summary>
      <div class="option-panel">{children}</div>
    </details>
  );
}

import { Icon } from '../../design/icon.tsx';
import { useWords } from '../words.tsx';

/** A text to copy. Its button is shown if scripts run. `wide` is for long texts. */
export function CopyField({
  id,
  label,
  value,
  wide = false,
}: {
  id: string;
  label: string;
  value: string;
  wide?: boolean;
}) {
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <div class="copy">
        <input id={id} class="code" type="text" value={value} readonly />
        <CopyButton from={id} label={useWords().text('kit.copyOf', { label })} />
      </div>
    </div>
  );
}

/** Copies the text of a field or element, by its id, or a text of its own. */
export function CopyButton({
  from,
  text,
  label,
  small = false,
}: {
  from?: string;
  text?: string;
  label: string;
  small?: boolean;
}) {
  return (
    <button
      type="button"
      class={small ? 'button quiet small' : 'button quiet'}
      data-copy={from ?? ''}
      data-text={text}
      aria-label={label}
      hidden
    >
      {useWords().text('kit.copy')}
    </button>
  );
}

/** A button of an icon alone that copies a text; a check mark stands there once it is copied. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <button
      type="button"
      class="copy-icon for-screen"
      data-copy=""
      data-text={text}
      aria-label={label}
      title={useWords().text('kit.copy')}
      hidden
    >
      <Icon name="copy" />
    </button>
  );
}

/** Lines of code to copy. */
export function CodeBlock({ id, label, code }: { id: string; label: string; code: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton from={id} label={useWords().text('kit.copyOf', { label })} />
      </figcaption>
      <pre tabindex={0} aria-label={label}>
        <code id={id}>{code}</code>
      </pre>
    </figure>
  );
}

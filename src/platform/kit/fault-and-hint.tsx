import type { Child } from 'hono/jsx';
import { langOf, plain, type Sentence } from '../words.tsx';
import { noteAnchor } from './summary.tsx';

/** The ids of the texts in `FaultAndHint`. */
export function describedBy(name: string, fault: Sentence | undefined, hint: Child): string | undefined {
  return [fault && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ') || undefined;
}

/** The id of a field's control. */
export const controlId = (name: string): string => `field-${name}`;

/** The fault and the hint of a field. `label` names it in the summary of the form. */
export function FaultAndHint({
  name,
  label,
  fault,
  hint,
}: {
  name: string;
  label: string;
  fault: Sentence | undefined;
  hint: Child;
}) {
  if (fault !== undefined) noteAnchor(name, { label, id: controlId(name) });
  return (
    <>
      {fault && (
        <p class="fault" id={`fault-${name}`} lang={langOf(fault)}>
          {plain(fault)}
        </p>
      )}
      {hint && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** The fault of something that has no control of its own, such as a list. */
export function ItemFault({ name, label, fault }: { name: string; label: string; fault: Sentence | undefined }) {
  if (fault === undefined) return null;
  const id = `fault-${name}`;
  noteAnchor(name, { label, id });
  return (
    <p class="fault" id={id} tabindex={-1} lang={langOf(fault)}>
      {plain(fault)}
    </p>
  );
}

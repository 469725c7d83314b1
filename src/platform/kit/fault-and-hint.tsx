import type { Child } from 'hono/jsx';

/** The ids of the texts in `FaultAndHint`. */
export function describedBy(name: string, fault: string | undefined, hint: Child): string | undefined {
  return [fault && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ') || undefined;
}

/** The fault and the hint of a field. */
export function FaultAndHint({ name, fault, hint }: { name: string; fault: string | undefined; hint: Child }) {
  return (
    <>
      {fault && (
        <p class="fault" id={`fault-${name}`}>
          {fault}
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

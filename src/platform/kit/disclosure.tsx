import type { PropsWithChildren } from 'hono/jsx';

/** A part of a page that few need: folded, unless it has values or errors. */
export function Disclosure({
  label,
  note,
  open,
  children,
}: PropsWithChildren<{ label: string; note?: string; open: boolean }>) {
  return (
    <details class="fold" open={open}>
      <summary>
        {label}
        {note && <span class="quiet"> {note}</span>}
      </summary>
      {children}
    </details>
  );
}

import type { PropsWithChildren } from 'hono/jsx';

/** A part of a page that few need: folded, unless it has values or errors. */
export function Fold({ label, open, children }: PropsWithChildren<{ label: string; open: boolean }>) {
  return (
    <details class="fold" open={open}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

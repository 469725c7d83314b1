import type { Child, PropsWithChildren } from 'hono/jsx';

type Kind = 'info' | 'success' | 'warning' | 'danger';

/**
 * A sentence that stands out; with `stack` several things below each other. Screen readers announce a danger at once,
 * and other kinds in their turn.
 */
export function Notice({
  kind = 'info',
  stack = false,
  children,
}: PropsWithChildren<{ kind?: Kind; stack?: boolean }>) {
  return (
    <div class={`notice ${kind}${stack ? ' stack' : ''}`} role={kind === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** The content of an empty list: the reason, and the next step. */
export function EmptyState({ title, action, children }: PropsWithChildren<{ title: string; action?: Child }>) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A word about the state of something. */
export function Badge({ kind = 'info', children }: PropsWithChildren<{ kind?: Kind }>) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

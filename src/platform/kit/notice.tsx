import type { Child, PropsWithChildren } from 'hono/jsx';

type Kind = 'info' | 'success' | 'warning' | 'danger';

/** A sentence that stands out; with `stack` several things under one another. A danger is read out at once, anything else in its turn. */
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

/** What a list shows while it is empty: why, and the next step. */
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

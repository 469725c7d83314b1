import type { Child, PropsWithChildren } from 'hono/jsx';

/** A sentence that stands out. A danger is read out at once, anything else in its turn. */
export function Notice({ kind = 'info', children }: PropsWithChildren<{ kind?: 'info' | 'success' | 'danger' }>) {
  return (
    <div class={`notice ${kind}`} role={kind === 'danger' ? 'alert' : 'status'}>
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
export function Badge({ kind = 'info', children }: PropsWithChildren<{ kind?: 'info' | 'success' | 'danger' }>) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

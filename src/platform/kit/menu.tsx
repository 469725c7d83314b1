import type { Child, PropsWithChildren } from 'hono/jsx';

/** A list that opens below its summary; only one is open at a time, if scripts run. `label` is for screen readers. */
export function Menu({
  label,
  summary,
  end,
  children,
}: PropsWithChildren<{ label?: string; summary: Child; end?: boolean }>) {
  return (
    <details class={end ? 'menu end' : 'menu'} data-menu>
      <summary>
        <span class="summary">
          {label && <span class="unseen">{label}: </span>}
          {summary}
        </span>
        <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d="M4 6l4 4 4-4" fill="none" stroke="currentColor" stroke-width="1.75" />
        </svg>
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}

import type { Child, PropsWithChildren } from 'hono/jsx';
import type { IconName } from '../../design/icon-names.ts';
import { Icon } from '../../design/icon.tsx';

/**
 * A list that opens below its summary; only one is open at a time, if scripts run.
 *
 * @param label for screen readers, before the summary
 * @param before what stands before the summary, such as an initial
 * @param kind a class of its own
 * @param open whether it is open at first
 */
export function Menu({
  label,
  before,
  summary,
  end = false,
  kind,
  icon = 'chevron-down',
  open = false,
  children,
}: PropsWithChildren<{
  label?: string;
  before?: Child;
  summary: Child;
  end?: boolean;
  kind?: string;
  icon?: IconName;
  open?: boolean;
}>) {
  const classes = ['menu', end && 'end', kind].filter((name) => typeof name === 'string');
  return (
    <details class={classes.join(' ')} data-menu open={open}>
      <summary>
        {before}
        <span class="summary">
          {label && <span class="unseen">{label}: </span>}
          {summary}
        </span>
        <Icon name={icon} />
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}

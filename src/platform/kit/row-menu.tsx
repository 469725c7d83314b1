import type { IconName } from '../../design/icon-names.ts';
import { Icon } from '../../design/icon.tsx';
import { isolated } from '../bidi.ts';
import { useWords } from '../words.tsx';
import { Menu } from './menu.tsx';

/** An action for a thing of a list: a page, or a text to copy if scripts run. */
export type Act = {
  readonly icon: IconName;
  readonly label: string;
} & (
  | {
      readonly href: string;
      /** True if a dialog asks before. */
      readonly confirms?: boolean;
    }
  | { readonly copies: string }
);

/**
 * The menu of a row. Its last action is red if it asks before, since what ends a thing comes last.
 *
 * @param name that of the thing as people read it, for screen readers
 */
export function RowMenu({ name, acts }: { name: string; acts: readonly Act[] }) {
  return (
    <Menu
      label={useWords().text('kit.actionsFor', { name: isolated(name) })}
      summary=""
      icon="ellipsis"
      kind="row-menu for-screen"
      end
    >
      <ul>
        {acts.map(({ icon, label, ...act }) => (
          <li>
            {'copies' in act ? (
              <button type="button" data-copy="" data-text={act.copies} hidden>
                <Icon name={icon} />
                {label}
              </button>
            ) : (
              <a href={act.href} data-confirms={act.confirms ? '' : undefined}>
                <Icon name={icon} />
                {label}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Menu>
  );
}

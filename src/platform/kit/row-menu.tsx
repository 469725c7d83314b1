import type { IconName } from '../../design/icon-names.ts';
import { Icon } from '../../design/icon.tsx';
import { isolated } from '../bidi.ts';
import { useWords } from '../words.tsx';
import { Menu } from './menu.tsx';

/** An action for a thing of a list. */
export interface Act {
  readonly icon: IconName;
  readonly label: string;
  readonly href: string;
  /** True if a dialog asks before. */
  readonly confirms?: boolean;
}

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
      kind="row-menu"
      end
    >
      <ul>
        {acts.map(({ icon, label, href, confirms }) => (
          <li>
            <a href={href} data-confirms={confirms ? '' : undefined}>
              <Icon name={icon} />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

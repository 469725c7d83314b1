import { assetPath } from '../http/assets.ts';
import type { IconName } from './icon-names.ts';

/**
 * An icon of the sprite, beside a word that says the same or in a control with a label. One that points along the line
 * follows the direction of its text.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={name.endsWith('-right') ? 'icon way' : 'icon'} aria-hidden="true">
      <use href={`${assetPath('icons.svg')}#${name}`} />
    </svg>
  );
}

import type { TagColour } from '../../links/tags/names.ts';

// Written out, since a test compares the classes of the pages with those of the style sheet.
const CLASS: Readonly<Record<TagColour, string>> = {
  gray: 'dot dot-gray',
  red: 'dot dot-red',
  orange: 'dot dot-orange',
  yellow: 'dot dot-yellow',
  green: 'dot dot-green',
  teal: 'dot dot-teal',
  blue: 'dot dot-blue',
  purple: 'dot dot-purple',
};

/** The colour of a tag, beside its name. */
export function Dot({ colour }: { colour: TagColour }) {
  return <span class={CLASS[colour]} aria-hidden="true" />;
}

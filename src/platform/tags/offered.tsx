import type { ColouredTag } from '../../links/tags/tags.ts';

/** The id of the list of tags that a field offers. */
export const TAGS = 'tags';

// More are more than a person looks through.
const MAX_OFFERED = 300;

/** The tags of the workspace, for the fields that take one. */
export function Tags({ tags }: { tags: readonly ColouredTag[] }) {
  return (
    <datalist id={TAGS}>
      {tags.slice(0, MAX_OFFERED).map(({ name }) => (
        <option value={name} />
      ))}
    </datalist>
  );
}

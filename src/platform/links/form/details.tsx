import { FIELD_NAMES, fieldOf } from '../../../links/fields/table.ts';
import type { FormState } from '../../forms/form.ts';
import { Campaigns } from '../campaigns.tsx';
import { Detail } from './detail.tsx';

/** The fields of a link's form beside its target and slug, by which people and programs find it. */
export function Details({
  campaigns,
  ...props
}: {
  form: FormState;
  timeZone: string;
  isNew: boolean;
  /** The campaigns that the field offers. */
  campaigns: readonly string[];
}) {
  return (
    <>
      {DETAILS.map(([name, field]) => (
        <Detail {...{ name, field }} {...props} />
      ))}
      <Campaigns names={campaigns} />
    </>
  );
}

/** The fields for people first, then those for programs. */
const DETAILS = FIELD_NAMES.flatMap((name) => {
  const field = fieldOf(name);
  return field?.input && field.input.section === undefined ? [[name, field] as const] : [];
}).toSorted(([, a], [, b]) => Number(a.input?.isCode ?? false) - Number(b.input?.isCode ?? false));

export const DETAIL_NAMES: readonly string[] = DETAILS.map(([name]) => name);

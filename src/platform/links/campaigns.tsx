/** The id of the list of campaigns that a field offers. */
export const CAMPAIGNS = 'campaigns';

/** The campaigns that links of the workspace have, for the fields that take one. */
export function Campaigns({ names }: { names: readonly string[] }) {
  return (
    <datalist id={CAMPAIGNS}>
      {names.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  );
}

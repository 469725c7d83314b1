/**
 * The names that providers give to people who have none of their own: their user name is their id. Pages of a client show
 * the name that its own provider gives, or that of the service; another client's is never shown there.
 */

/** The name that a provider gives to a person, and the provider's own. */
export interface GivenName {
  readonly name: string;
  readonly provider: string;
}

/** A user in SQL, by the expressions of their id and name, and of the client whose pages show them. */
interface UserInSql {
  readonly id: string;
  readonly name: string;
  readonly client: string;
}

/** An expression of the identity and its provider that name a user, the last one that confirmed them; else NULL. */
const ofNaming = (expression: string, { id, name, client }: UserInSql) => `CASE WHEN ${name} = ${id} THEN (
    SELECT ${expression} FROM identities naming JOIN providers namer ON namer.id = naming.provider_id
    WHERE naming.user_id = ${id} AND naming.name IS NOT NULL AND namer.ended_at IS NULL
      AND coalesce(namer.client_id, ${client}) = ${client}
    ORDER BY naming.confirmed_at DESC LIMIT 1) END`;

/** JSON of the `GivenName` of a user, or NULL for a name of their own. */
export const givenName = (user: UserInSql): string =>
  ofNaming(`json_object('name', naming.name, 'provider', namer.name)`, user);

/** The name of a user as a text to search and to sort by. */
export const shownName = (user: UserInSql): string => `coalesce(${ofNaming('naming.name', user)}, ${user.name})`;

/** Reads what `givenName` has selected. */
export const toGivenName = (json: string | null): GivenName | null => (json === null ? null : JSON.parse(json));

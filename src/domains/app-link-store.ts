import { ACTING, actingParams, type Actor } from '../accounts/access.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Param, Statement } from '../database/database.ts';
import { IS_SERVING } from '../links/domain-conditions.ts';
import { APP_LINK_FILES, type AppLinkChange, type AppLinkFile, type AppLinks } from './app-links.ts';

export interface AppLinkRow {
  readonly name: string;
  readonly body: string;
}

export function toAppLinks(rows: readonly AppLinkRow[]): AppLinks {
  const bodyOf = (file: AppLinkFile) => rows.find(({ name }) => name === file)?.body ?? null;
  return { apple_app_site_association: bodyOf('apple_app_site_association'), asset_links: bodyOf('asset_links') };
}

/** Selects the files of a domain that the actor has the permission for. */
export function selectAppLinks(actor: Actor, permission: Permission, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT name, body FROM domain_files
      WHERE domain_id = (
        SELECT domains.id FROM domains
        WHERE domains.id = ?8 AND removed_at IS NULL AND client_id IN (SELECT client_id FROM acting))`,
    params: [...actingParams(actor, permission, now), id],
  };
}

/** Selects one file of the domain that serves a host. */
export function selectServedFile(host: string, file: AppLinkFile): Statement {
  return {
    sql: `SELECT name, body FROM domains JOIN domain_files ON domain_id = domains.id AND name = ?2
          WHERE host = ?1 AND ${IS_SERVING}`,
    params: [host, file],
  };
}

/** The changed files as one parameter. Files that are left out stay as they are. */
export function appLinksParam(change: AppLinkChange): Param {
  return JSON.stringify(
    APP_LINK_FILES.filter((file) => change[file] !== undefined).map((file) => ({ name: file, body: change[file] })),
  );
}

/** An SQL expression: the names of the files of the row `domains` that `appLinksParam` changes, in JSON; NULL if none. */
export function changedAppLinks(param: string): string {
  return `(
    SELECT json_group_array(given.value ->> 'name') FROM json_each(${param}) AS given
      LEFT JOIN domain_files AS former ON former.domain_id = domains.id AND former.name = given.value ->> 'name'
    WHERE former.body IS NOT given.value ->> 'body' HAVING count(*) > 0)`;
}

/** Writes the files of `appLinksParam` for the domain of a condition under `ACTING`: two statements. */
export function writeAppLinks(isThisDomain: string, param: string, params: readonly Param[]): Statement[] {
  return [
    {
      sql: `${ACTING}
        DELETE FROM domain_files
        WHERE domain_id IN (SELECT domains.id FROM domains WHERE ${isThisDomain})
          AND name IN (SELECT value ->> 'name' FROM json_each(${param}) WHERE value ->> 'body' IS NULL)`,
      params,
    },
    {
      sql: `${ACTING}
        INSERT INTO domain_files (domain_id, name, body)
        SELECT domains.id, given.value ->> 'name', given.value ->> 'body' FROM domains, json_each(${param}) AS given
        WHERE ${isThisDomain} AND given.value ->> 'body' IS NOT NULL
        ON CONFLICT (domain_id, name) DO UPDATE SET body = excluded.body`,
      params,
    },
  ];
}

/** Deletes the files of the domain of a condition under `ACTING`. */
export function deleteAppLinks(isThisDomain: string, params: readonly Param[]): Statement {
  return {
    sql: `${ACTING}
      DELETE FROM domain_files WHERE domain_id IN (SELECT domains.id FROM domains WHERE ${isThisDomain})`,
    params,
  };
}

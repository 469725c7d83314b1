import type { AppLinkFile } from '../../src/domains/app-links.ts';
import { request, rowsOfHost } from './domains.ts';
import { seedCaller, type Caller } from './forms.ts';
import { rowsOf, seedDomain } from './seed.ts';
import type { Call } from './service.ts';

/** Files that let the links of a domain open in apps. */

export const APPLE = {
  applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/buy/*', comment: 'ü' }] }] },
};

export const ASSETS = [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: 'com.example', sha256_cert_fingerprints: ['14:6D:E9'] },
  },
  { relation: ['delegate_permission/common.get_login_creds'], target: { namespace: 'web', site: 'https://a.example' } },
] as const;

const EMPTY: Readonly<Record<AppLinkFile, (filling: string) => string>> = {
  apple_app_site_association: (filling) => `{"applinks":{"x":"${filling}"}}`,
  asset_links: (filling) => `[{"relation":["${filling}"],"target":{"namespace":"web"}}]`,
};

/** A valid file of so many bytes of UTF-8, filled with repetitions of a text. */
export function ofBytes(file: AppLinkFile, bytes: number, repeated = 'ü'): string {
  const left = bytes - Buffer.byteLength(EMPTY[file](''));
  const size = Buffer.byteLength(repeated);
  return EMPTY[file](repeated.repeat(Math.floor(left / size)) + 'x'.repeat(left % size));
}

/** The stored files of a domain, by name. */
export async function filesOf(domainId: string): Promise<Record<string, unknown>> {
  const rows = (await rowsOf('domain_files')).filter((row) => row['domain_id'] === domainId);
  return Object.fromEntries(rows.map((row) => [row['name'], row['body']]));
}

/** The most that a file may have. */
export const MAX_BYTES = 128 * 1024;

/** Changes a domain as the API does. */
export const patchDomain = (caller: Caller, id: string, body: unknown): Promise<Response> =>
  request(caller, `/v1/domains/${id}`, { method: 'PATCH', body });

/** The id of the domain that a client has at a host. */
export async function idOf(host: string): Promise<string> {
  const [row] = await rowsOfHost(host);
  return String(row?.['id']);
}

/** Changes the domain at a host, and throws if that is refused. */
export async function change(caller: Caller, host: string, body: object, through?: Call): Promise<void> {
  const path = `/v1/domains/${await idOf(host)}`;
  const response = await request(caller, path, { method: 'PATCH', body, ...(through && { through }) });
  if (response.status !== 200) throw new Error(`the change answered ${response.status} ${await response.text()}`);
}

/** A domain with both files. */
export async function seedFiles(): Promise<{ caller: Caller; host: string }> {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  await change(caller, host, { apple_app_site_association: APPLE, asset_links: ASSETS });
  return { caller, host };
}

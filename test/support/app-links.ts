import type { AppLinkFile } from '../../src/domains/app-links.ts';
import { rowsOf } from './seed.ts';

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

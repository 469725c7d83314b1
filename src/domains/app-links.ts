/**
 * The files by which links of a custom domain open in apps, by the names of their fields, with their paths. Sources:
 * https://developer.apple.com/documentation/xcode/supporting-associated-domains and
 * https://developers.google.com/digital-asset-links/v1/create-statement
 */
export const APP_LINK_PATHS = {
  apple_app_site_association: '/.well-known/apple-app-site-association',
  asset_links: '/.well-known/assetlinks.json',
} as const;

export type AppLinkFile = keyof typeof APP_LINK_PATHS;

/** The JSON text of each file, byte for byte as it is served; null if the domain does not have it. */
export type AppLinks = Readonly<Record<AppLinkFile, string | null>>;

/** New files: null deletes one, and those that are absent stay as they are. */
export type AppLinkChange = { readonly [File in AppLinkFile]?: string | null | undefined };

/** The names of the files. */
export const APP_LINK_FILES: readonly AppLinkFile[] = ['apple_app_site_association', 'asset_links'];

/** The largest size of a file, in bytes of UTF-8: Apple's limit. */
export const MAX_APP_LINK_BYTES = 128 * 1024;

const FILE_BY_PATH: ReadonlyMap<string, AppLinkFile> = new Map(
  APP_LINK_FILES.map((file) => [APP_LINK_PATHS[file], file]),
);

/** The file that is served at a path, or null. */
export function appLinkFileOf(pathname: string): AppLinkFile | null {
  return FILE_BY_PATH.get(pathname) ?? null;
}

import { AppError } from '../errors.ts';
import { HASHES } from './asset-hashes.js';
import { failureHeaders, writeFailure } from './failure.ts';

/**
 * The files for browsers, in `public/assets/`. Pages name them by the hash of their content, such as
 * `/assets/platform.3f9a1c0b2d.css`, so that browsers keep them for a year; each can be had by its own name too.
 *
 * The Worker answers for the names with a hash, since no such files exist. While two versions share the requests, a page
 * of one asks the other for files: a file of another hash is answered by the present content, which is not kept.
 */

export const isAssetPath = (pathname: string): boolean => pathname.startsWith('/assets/');

/** The path of a file by its hash. */
export function assetPath(name: string): string {
  const path = findAssetPath(name);
  if (path === null) throw new Error(`public/assets has no ${name}`);
  return path;
}

/** The path of a file by its hash; null if there is no such file. */
export function findAssetPath(name: string): string | null {
  const hash = HASHES[name];
  return hash === undefined ? null : `/assets/${name.replace(/\.(?=\w+$)/, `.${hash}.`)}`;
}

/** The path of the style sheet of an operator's colour, which the Worker writes. */
export const brandStylePath = (colour: string): string => `/assets/brand.${colour}.css`;

/** The beginning of the names of an operator's logo, as a path and with a hash. */
const LOGO_PATH = '/assets/brand-logo.';
/** The headers of a file of others, so that it runs nothing where it is opened by itself. */
const SANDBOX = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

const A_YEAR = 'public, max-age=31536000, immutable';

/** Answers a path of `isAssetPath` by the asset server, which fails at methods that it does not know. */
export async function respondWithAsset(request: Request, pathname: string, assets: Fetcher): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request);
  const response = await respondWithFile(request, pathname, assets);
  if (!pathname.startsWith(LOGO_PATH)) return response;
  const logo = new Response(response.body, response);
  for (const [name, value] of Object.entries(SANDBOX)) logo.headers.set(name, value);
  return logo;
}

async function respondWithFile(request: Request, pathname: string, assets: Fetcher): Promise<Response> {
  const [, stem, hash, extension] = /^\/assets\/([\w-]{1,40})\.([0-9a-f]{10})\.([a-z0-9]{2,5})$/.exec(pathname) ?? [];
  if (stem === undefined) return assets.fetch(request);
  const name = `${stem}.${extension}`;
  const file = await assets.fetch(new Request(new URL(`/assets/${name}`, request.url), request));
  if (!file.ok && file.status !== 304) return file;
  const response = new Response(file.body, file);
  response.headers.set('Cache-Control', HASHES[name] === hash ? A_YEAR : 'no-store');
  return response;
}

function refuseMethod(request: Request): Response {
  const error = new AppError('method_not_allowed', 'This file answers GET and HEAD only.', { allow: ['GET', 'HEAD'] });
  const origin = new URL(request.url).origin;
  const { text, type } = writeFailure(error, { accept: request.headers.get('Accept') ?? '', origin });
  return new Response(text, { status: error.status, headers: { ...failureHeaders(error), 'Content-Type': type } });
}

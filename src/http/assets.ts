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
  const hash = HASHES[name];
  if (hash === undefined) throw new Error(`public/assets has no ${name}`);
  return `/assets/${name.replace(/\.(?=\w+$)/, `.${hash}.`)}`;
}

const A_YEAR = 'public, max-age=31536000, immutable';

/** Answers a path of `isAssetPath` by the asset server, which fails at methods that it does not know. */
export async function respondWithAsset(request: Request, pathname: string, assets: Fetcher): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request);
  const [, stem, hash, extension] = /^\/assets\/([\w-]{1,40})\.([0-9a-f]{10})\.([a-z]{2,4})$/.exec(pathname) ?? [];
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

import type { Database } from '../database/database.ts';
import type { AppLinkFile } from '../domains/app-links.ts';
import type { AppLinkMemory } from '../domains/app-link-memory.ts';
import { appLinkOf } from '../domains/domains.ts';
import { AppError } from '../errors.ts';
import { refuse } from './refusal.ts';
import { refuseFileMethod } from './responses.ts';

const HEADERS = {
  // Neither platform accepts another type, nor a redirect.
  'Content-Type': 'application/json',
  // Apple's CDN and Google keep copies of their own. Five minutes spare the service bursts of devices that fetch the file
  // themselves, and an edit does not wait long for a cache in between.
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Answers a file of app links: from memory, or by one query. 404 if the host has none, as the service's own ('') never
 * has.
 *
 * @param openDatabase called only if memory has no answer
 */
export async function appLinks(
  request: Request,
  file: AppLinkFile,
  host: string,
  memory: AppLinkMemory,
  openDatabase: () => Database,
  publicUrl: URL | null,
): Promise<Response> {
  try {
    refuseFileMethod(request.method);
    const content = host === '' ? null : await contentOf(memory, openDatabase, host, file);
    if (content === null) throw new AppError('not_found', 'This host has no such file.');
    return new Response(request.method === 'HEAD' ? null : content, { headers: HEADERS });
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

async function contentOf(
  memory: AppLinkMemory,
  openDatabase: () => Database,
  host: string,
  file: AppLinkFile,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const remembered = memory.find(host, file);
  if (remembered !== undefined) return remembered;
  const { generation } = memory;
  const text = await appLinkOf(openDatabase(), host, file);
  const content = text === null ? null : Uint8Array.from(Buffer.from(text));
  memory.remember(host, file, content, generation);
  return content;
}

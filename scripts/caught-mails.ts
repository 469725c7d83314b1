import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { freePort } from './free-port.ts';

/**
 * The mails of a local service without PUBLIC_URL: an HTTP API of mail on this machine, which sends nothing, keeps each mail
 * as files beside the data, and shows them in a browser.
 */

/** The settings by which a service sends its mails here, and the page that shows them. */
interface CaughtMails {
  /** The page that shows them. */
  readonly page: string;
  readonly settings: Readonly<Record<'MAIL_FROM' | 'MAIL_URL' | 'MAIL_TOKEN' | 'MAIL_ORIGIN', string>>;
  readonly close: () => void;
}

const MOST_KEPT = 200;
const MAX_BODY_BYTES = 1024 * 1024;

const mail = z.object({
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

/**
 * Catches the mails of a service.
 *
 * @param origin that of the service, for the links in its mails
 */
export async function catchMails(persistTo: string, origin: string): Promise<CaughtMails> {
  const folder = join(resolve(persistTo), 'mails');
  const token = randomBytes(24).toString('base64url');
  // Mails have links that set passwords, and others may use this machine.
  const root = `/${randomBytes(12).toString('base64url')}/`;
  const port = await freePort();
  const server = createServer((request, response) => {
    respond({ folder, token, port, root }, request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', listening);
  });
  // It ends with the process.
  server.unref();
  const page = `http://127.0.0.1:${port}${root}`;
  return {
    page,
    settings: { MAIL_FROM: 'terse@localhost', MAIL_URL: `${page}emails`, MAIL_TOKEN: token, MAIL_ORIGIN: origin },
    close: () => server.close(),
  };
}

interface Caught {
  readonly folder: string;
  readonly token: string;
  readonly port: number;
  /** The path that all others begin with. */
  readonly root: string;
}

async function respond(
  { folder, token, port, root }: Caught,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, headers } = request;
  // A website whose name leads to this machine must not read the mails.
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return end(response, 421);
  if (request.url?.startsWith(root) !== true) return end(response, 404);
  const url = request.url.slice(root.length - 1);
  if (method === 'POST' && url === '/emails') {
    if (!isEqual(headers.authorization ?? '', `Bearer ${token}`)) return end(response, 401);
    if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return end(response, 413);
    const parsed = mail.safeParse(JSON.parse(await text(request)));
    if (!parsed.success) return end(response, 422);
    const id = keep(folder, parsed.data);
    return end(response, 200, 'application/json', JSON.stringify({ id }));
  }
  if (method !== 'GET') return end(response, 405);
  if (url === '/') return end(response, 200, HTML, listPage(folder));
  const name = /^\/([\w-]+)\.(html|txt)$/.exec(url);
  const file = name && readdirSafely(folder).find((each) => each === `${name[1]}.${name[2]}`);
  if (!file) return end(response, 404);
  return end(response, 200, name[2] === 'html' ? HTML : 'text/plain; charset=utf-8', readFileSync(join(folder, file)));
}

const HTML = 'text/html; charset=utf-8';

function end(response: ServerResponse, status: number, type = 'text/plain', body: string | Buffer = ''): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // A mail runs no script and loads nothing.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'",
  });
  response.end(body);
}

/** Keeps a mail as three files, and removes the oldest beyond the newest 200. Returns its name. */
function keep(folder: string, content: z.output<typeof mail>): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const id = `${new Date().toISOString().replaceAll(/[^\dTZ]/g, '-')}-${randomBytes(3).toString('hex')}`;
  const write = (ending: string, body: string) => writeFileSync(join(folder, `${id}.${ending}`), body, { mode: 0o600 });
  write('json', `${JSON.stringify(content, null, 2)}\n`);
  write('txt', content.text);
  write('html', content.html);
  for (const old of namesIn(folder).slice(MOST_KEPT))
    for (const ending of ['json', 'txt', 'html']) rmSync(join(folder, `${old}.${ending}`), { force: true });
  return id;
}

/** The names of the mails, newest first. */
const namesIn = (folder: string): string[] =>
  readdirSafely(folder)
    .flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? [])
    .toSorted()
    .toReversed();

function readdirSafely(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function listPage(folder: string): string {
  const mails = namesIn(folder).map((name) => ({
    name,
    ...mail.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))),
  }));
  const rows = mails.map(
    ({ name, to, subject }) => `<details><summary><b>${escape(subject)}</b> to ${escape(to.join(', '))}
<small>${name}</small></summary><p><a href="${name}.html">Open it</a>, where its links work, or see it <a href="${name}.txt">as text</a>.</p>
<iframe src="${name}.html" title="${escape(subject)}" sandbox loading="lazy"></iframe></details>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mails</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
details{border-top:1px solid #8886;padding:.6rem 0}iframe{width:100%;height:36rem;border:1px solid #8886}small{opacity:.7}</style>
<h1>Mails</h1><p>The local service sends no mail. Those that it would send are here, and in the folder <code>${escape(folder)}</code>.
Reload the page to see newer ones.</p>${rows.join('\n') || '<p>There is none yet.</p>'}</html>`;
}

const escape = (plain: string): string => plain.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

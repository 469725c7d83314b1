import { spawn } from 'node:child_process';
import type { Command } from 'commander-14';
import { openService, type CommonOptions } from '../context.ts';
import { findLink } from '../find-link.ts';
import { Failure } from '../outcome.ts';
import { plain } from '../text.ts';
import { printJson, printLine } from '../terminal.ts';

interface OpenOptions extends CommonOptions {
  readonly page?: boolean;
}

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('Opens a short link in the browser, which counts as a click')
    .argument('<link>', 'an id, a slug or a short link')
    .option('--page', 'open the page where the link is managed instead')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { page, json, ...options } = command.optsWithGlobals<OpenOptions>();
      const service = openService(options);
      const link = await findLink(service, name);
      const url = page ? `${service.origin}/platform/c/${link.client_id}/links/${link.id}` : link.short_url;
      await open(url);
      await (json ? printJson({ short_url: link.short_url, opened: url }) : printLine(plain(`Opened ${url}.`)));
    });
}

// No shell reads the URL.
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

// Without a desktop, `xdg-open` is the browser itself, and continues until that is closed.
const FAILS_WITHIN_MS = 3000;

function open(url: string): Promise<void> {
  // The system opens other URLs by other programs than a browser.
  if (!/^https?:\/\//i.test(url)) {
    throw new Failure(`${url} is not an http or https URL, and is not opened.`, { code: 'unsafe_url' });
  }
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, FAILS_WITHIN_MS);
    child.once('error', (error) => reject(notOpened(url, error)));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(notOpened(url, code))));
    child.once('close', () => clearTimeout(timer));
  });
}

function notOpened(url: string, cause: unknown): Failure {
  return new Failure(`No browser could be opened for ${url}.`, { code: 'no_browser' }, { cause });
}

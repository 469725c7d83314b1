import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { makeFolder } from '../../scripts/support/processes.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The path of the machine's own Chromium, or else of the one that npm has brought along, which runs on Linux. */
export const findChromium = async (): Promise<string> => systemChromium() ?? (await packagedChromium());

/** Starts Chromium, which ends with this process at the latest. */
export function launchChromium(executablePath: string): Promise<Browser> {
  // It opens pages of ours on loopback and nothing else; in containers there is often no sandbox to be had.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] });
}

function systemChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...APPLICATIONS].find(existsSync);
}

// It unpacks itself into the folder for temporary files, and takes what lies there already for whole: each run has its own.
async function packagedChromium(): Promise<string> {
  if (process.platform !== 'linux') throw new Error('Install Chromium or Google Chrome: the browser tests need one.');
  const { default: packaged } = await import('@sparticuz/chromium');
  const former = process.env['TMPDIR'];
  process.env['TMPDIR'] = makeFolder();
  try {
    return await packaged.executablePath();
  } finally {
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
  }
}

import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander-14';
import encodeQr from 'qr';
import { openService, wholeNumber, type CommonOptions } from '../context.ts';
import { findLink } from '../find-link.ts';
import { Failure, usageFailure } from '../outcome.ts';
import { reasonOf } from '../reasons.ts';
import type { Link, Service } from '../service.ts';
import { columns, hasColours, isTerminal, note, print, printJson, printLine } from '../terminal.ts';
import { plain } from '../text.ts';

interface QrOptions extends CommonOptions {
  readonly svg?: string;
  readonly png?: string;
  readonly size?: number;
  readonly level: Level;
  readonly invert?: boolean;
  readonly marker: boolean;
}

type Level = 'L' | 'M' | 'Q' | 'H';

const LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;
// ISO/IEC 18004: four modules of ground on each side.
const QUIET_ZONE = 4;
const MAX_PIXELS = 2048;

export function addQr(program: Command): void {
  program
    .command('qr')
    .description('Draws the QR code of a short link, in the terminal or to a file')
    .argument('<link>', 'an id, a slug or a short link')
    .option('--svg <file>', 'write an SVG; "-" for stdout')
    .option('--png <file>', 'write a PNG; "-" for stdout')
    .option('--size <pixels>', 'the width of the picture', wholeNumber('--size', MAX_PIXELS))
    .addOption(new Option('--level <level>', 'how much damage it can take').choices(['L', 'M', 'Q', 'H']).default('M'))
    .option('--no-marker', 'without ?via=qr, by which click statistics know the visits of a code')
    .option('--invert', 'without colours: for a terminal with dark text on a light ground')
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<QrOptions>();
      if (options.svg !== undefined && options.png !== undefined) throw usageFailure('Choose one of --svg and --png.');
      const service = openService(options);
      const link = await findLink(service, name);
      const file = options.svg ?? options.png;
      if (file === undefined) return show(link, options);
      await write(
        file,
        options.svg === undefined ? await drawPng(service, link, options) : await drawSvg(service, link, options),
      );
      if (file === '-') return;
      await (options.json
        ? printJson({ short_url: link.short_url, file })
        : printLine(plain(`${link.short_url} is in ${file}.`)));
    });
}

async function show({ short_url: shortUrl }: Link, options: QrOptions): Promise<void> {
  const url = options.marker ? `${shortUrl}?via=qr` : shortUrl;
  const modules = encodeQr(url, 'raw', { ecc: LEVELS[options.level], border: QUIET_ZONE });
  if (options.json) {
    return printJson({ short_url: shortUrl, modules: modules.map((row) => row.map(Number).join('')) });
  }
  const width = modules[0]?.length ?? 0;
  if (isTerminal() && columns() < width) {
    throw new Failure(`The code takes ${width} columns, and the terminal has ${columns()}.`, {
      code: 'narrow_terminal',
      remedy: 'Use a wider terminal, or write a file with --svg or --png.',
    });
  }
  const lines = halfBlocks(modules, hasColours(), options.invert ?? false);
  await print(`${lines.join('\n')}\n`);
  if (isTerminal()) note(plain(shortUrl));
}

/**
 * Two rows of modules on each line. With colours it is black on white in every terminal; without them light modules are
 * drawn, since most terminals have light text on a dark ground.
 */
function halfBlocks(modules: readonly (readonly boolean[])[], isColoured: boolean, isInverted: boolean): string[] {
  const isDrawn = (dark: boolean) => (isColoured || isInverted ? dark : !dark);
  const lines: string[] = [];
  for (let y = 0; y < modules.length; y += 2) {
    const [upper, lower] = [modules[y]!, modules[y + 1]];
    const line = upper
      .map((dark, x) => BLOCKS[Number(isDrawn(dark)) + 2 * Number(isDrawn(lower?.[x] ?? false))])
      .join('');
    lines.push(isColoured ? `\u001B[38;5;16;48;5;231m${line}\u001B[0m` : line);
  }
  return lines;
}

// By whether the upper half is drawn, and the lower one.
const BLOCKS = [' ', '▀', '▄', '█'];

type Picture = Uint8Array | string;

const queryOf = ({ size, level, marker }: QrOptions) => ({
  level,
  ...(size !== undefined && { size }),
  ...(!marker && { marker: 'false' as const }),
});

function drawSvg({ api, data }: Service, { id }: Link, options: QrOptions): Promise<Picture> {
  const params = { path: { id }, query: queryOf(options) };
  return data(api.GET('/v1/links/{id}/qr.svg', { params, parseAs: 'text' }));
}

async function drawPng({ api, data }: Service, { id }: Link, options: QrOptions): Promise<Picture> {
  const params = { path: { id }, query: queryOf(options) };
  return new Uint8Array(await data(api.GET('/v1/links/{id}/qr.png', { params, parseAs: 'arrayBuffer' })));
}

async function write(file: string, picture: Picture): Promise<void> {
  if (file === '-') return print(picture);
  try {
    writeFileSync(file, picture);
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${reasonOf(error)}.`, { code: 'unwritable_file' });
  }
}

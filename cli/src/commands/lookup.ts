import type { Command } from 'commander-14';
import type { components } from '../../client/terse.d.ts';
import { openService, type CommonOptions } from '../context.ts';
import { plain } from '../text.ts';
import { printJson, printLine } from '../terminal.ts';

type FoundPage = components['schemas']['FoundPage'];

export function addLookup(program: Command): void {
  program
    .command('lookup')
    .description('Shows the title and the preview of a destination, and stores nothing')
    .argument('<url>', 'a destination')
    .action(async (url: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { api, data } = openService(options);
      const found = await data(api.POST('/v1/links/lookup', { body: { url } }));
      if (options.json) return printJson(found);
      for (const line of linesOf(found)) await printLine(plain(line));
    });
}

function linesOf({ status, title, description, image }: FoundPage): string[] {
  const texts = { Title: title, Description: description, Image: image };
  const lines = Object.entries(texts).flatMap(([label, text]) => (text === null ? [] : [`${label}: ${text}`]));
  return lines.length > 0 ? lines : [`The destination has responded with the status ${status}, without a title.`];
}

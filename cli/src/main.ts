import { Command, CommanderError, Option } from 'commander-14';
import { addCreate } from './commands/create.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addList } from './commands/list.ts';
import { addLogin } from './commands/login.ts';
import { addLookup } from './commands/lookup.ts';
import { addOpen } from './commands/open.ts';
import { addQr } from './commands/qr.ts';
import { addStats } from './commands/stats.ts';
import { wholeNumber } from './context.ts';
import { endOnSignals } from './interrupt.ts';
import { report, usageFailure } from './outcome.ts';
import { endOnLostOutput } from './terminal.ts';

declare const VERSION: string;

const SECONDS = 30;
const MAX_SECONDS = 600;

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 not signed in, 4 not found,
5 temporarily unavailable, 130 interrupted

The key is read from the file that "terse login" writes, or from TERSE_API_KEY (with TERSE_URL).`;

function createProgram(): Command {
  const program = new Command('terse')
    .description('Creates short links, lists them and reads their clicks')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print the help')
    .helpCommand('help [command]', 'Prints the help of a command')
    .option('--json', 'print JSON on stdout, and errors as JSON on stderr')
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for a response')
        .argParser(wholeNumber('--timeout', MAX_SECONDS))
        .default(SECONDS),
    )
    .option('--client <id>', 'the client, for an api_token of several clients (or TERSE_CLIENT)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  for (const add of [addLogin, addCreate, addList, addStats, addQr, addImport, addExport, addLookup, addOpen])
    add(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

async function main(words: readonly string[]): Promise<number> {
  // Arguments that cannot be parsed are reported as JSON too.
  const isJson = words.includes('--json');
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, isJson);
    if (error.exitCode === 0) return 0;
    return report(usageFailure(usageSentence(error)), isJson);
  }
}

function usageSentence({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Name a command; "terse --help" lists them.';
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}. "terse --help" lists commands and options.`;
}

endOnLostOutput();
endOnSignals();
process.exitCode = await main(process.argv.slice(2));

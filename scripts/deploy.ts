import { deploySchema } from './deploy-schema.ts';
import { run } from './cli-error.ts';
import { DEPLOYED_KEY_FILE, ensureOperatorKey, operatorKeysText } from './operator-key.ts';
import { readOperatorKeys } from './settings.ts';
import { startWrangler } from './wrangler.ts';

/**
 * `npm run deploy -- --domain HOST …`: deploys the database first, then the Worker. Its arguments are those of
 * `wrangler deploy`.
 */

await run(async () => {
  const args = process.argv.slice(2);
  // A dry run changes nothing, and needs no account.
  const isTry = args.includes('--dry-run');
  if (!isTry) {
    console.log('Bringing the database up to date …');
    deploySchema(['--remote']);
  }
  const own = isTry
    ? []
    : [
        '--var',
        `OPERATOR_KEYS:${operatorKeysText(await ensureOperatorKey(DEPLOYED_KEY_FILE), await readOperatorKeys())}`,
      ];
  const wrangler = startWrangler(['deploy', ...args, ...own], { stdio: 'inherit' });
  wrangler.on('exit', (code) => (process.exitCode = code ?? 1));
});

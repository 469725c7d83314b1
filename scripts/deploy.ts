import { deploySchema } from './deploy-schema.ts';
import { run } from './fail.ts';
import { startWrangler } from './wrangler.ts';

/** `npm run deploy -- --domain HOST …`: the database first, then the Worker. What it is given is for `wrangler deploy`. */

await run(async () => {
  const args = process.argv.slice(2);
  // A try changes nothing anywhere, and needs no account.
  if (!args.includes('--dry-run')) deploySchema(['--remote']);
  const wrangler = startWrangler(['deploy', ...args], { stdio: 'inherit' });
  wrangler.on('exit', (code) => (process.exitCode = code ?? 1));
});

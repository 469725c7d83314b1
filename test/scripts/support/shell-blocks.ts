import { PAGES, shellBlocks } from './pages.ts';

/** The shell blocks of all pages, by what they need, and so by the test that runs them as they stand. */

interface Block {
  readonly page: string;
  readonly text: string;
}

/** True for a need if a block, without its comments, has it. */
const NEEDS = {
  /** Commands that a start prints; start.test.ts runs each command. */
  curl: (code: string) => /^curl /m.test(code),
  /** A repository to clone; shell-blocks.test.ts. */
  clone: (code: string) => code.startsWith('git clone '),
  /** The project with its packages; shell-blocks.test.ts. */
  tests: (code: string) => code.startsWith('npx vitest '),
  /** A clone with its service; shell-blocks.test.ts. */
  service: (code: string) =>
    !code.includes('--remote') &&
    !code.includes('wrangler ') &&
    /^(?:npm run (?:account|backup|import|types) |npm run types\n|bin\/terse )/.test(code),
  /** A clone with its tests; shell-blocks.test.ts. */
  pictures: (code: string) => /^npm run pictures\b/.test(code),
  /** The command line, signed in; cli.test.ts. */
  cli: (code: string) => code.startsWith('terse '),
  /** An account of Cloudflare; deploy-from-empty.test.ts. */
  deploy: (code: string) => /^npm run deploy\b/m.test(code),
  /** A deployed service; secret-rotation.test.ts. */
  secrets: (code: string) => /^npx wrangler secret put /m.test(code),
} satisfies Record<string, (code: string) => boolean>;

type Need = keyof typeof NEEDS;

export const ALL_BLOCKS: readonly Block[] = PAGES.flatMap((page) => shellBlocks(page).map((text) => ({ page, text })));

export function needsOf({ text }: Block): Need[] {
  const code = text.replaceAll(/(?:^| +)#.*\n/gm, (comment) => (comment.startsWith('#') ? '' : '\n'));
  return (Object.keys(NEEDS) as Need[]).filter((need) => NEEDS[need](code));
}

/** The blocks that need only this. */
export const blocksThatNeed = (need: Need): Block[] => ALL_BLOCKS.filter((block) => needsOf(block).join() === need);

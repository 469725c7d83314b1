import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ImpactValue } from 'axe-core';
import type { Page } from 'playwright-core';

/** Checks of accessibility by axe. */

// Half as many bytes as its `source`: each page that is checked receives them.
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe whose outcome depends on colours. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Reads what axe finds in a page as it is, by the rules that are on of themselves, or by some. */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  return namesOf(await axeResultsOf(page, null, rules));
}

/**
 * What axe finds serious in a page whose parts are not all ours.
 *
 * @param exclude a selector of what is left out
 */
export async function seriousFaultsOf(page: Page, exclude: string): Promise<readonly string[]> {
  await awaitTransitions(page);
  const results = await axeResultsOf(page, exclude);
  return namesOf(results.filter(({ impact }) => impact === 'serious' || impact === 'critical'));
}

/**
 * Waits until all transitions have ended. One of an inherited colour begins only once that of the element around it has
 * ended, so a chain of them takes as many frames as it has elements, however short each one is.
 */
async function awaitTransitions(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let frames = 0; frames < 5; frames++) {
      await new Promise(requestAnimationFrame);
      if (document.getAnimations().length > 0) frames = 0;
    }
  })()`);
}

interface Fault {
  /** The rule. */
  readonly id: string;
  readonly impact: ImpactValue;
  /** The elements that break it. */
  readonly nodes: readonly string[];
}

async function axeResultsOf(page: Page, exclude: string | null, rules?: readonly string[]): Promise<readonly Fault[]> {
  // The value of the whole text would be sent back.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${AXE}; 0`);
  const context = JSON.stringify({ include: [['html']], exclude: exclude === null ? [] : [[exclude]] });
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  return page.evaluate<readonly Fault[]>(`axe.run(${context}, ${options}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`);
}

const namesOf = (results: readonly Fault[]) =>
  results.flatMap(({ id, nodes }) => nodes.map((html) => `${id}: ${html}`));

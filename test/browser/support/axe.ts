import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Checks of accessibility by axe. */

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

async function axeResultsOf(
  page: Page,
  exclude: string | null,
  rules?: readonly string[],
): Promise<readonly axe.Result[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const context = JSON.stringify({ include: [['html']], exclude: exclude === null ? [] : [[exclude]] });
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${context}, ${options})`);
  return violations;
}

const namesOf = (results: readonly axe.Result[]) =>
  results.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));

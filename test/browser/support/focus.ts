import type { Page } from 'playwright-core';

/** Reads which element has the focus in a page or a dialog: the name of a field, or the text of a link or a button. */
export const focusedIn = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ activeElement: at }) => at.name || at.textContent.trim() || at.tagName)(document)`);

/**
 * What should have the focus in the question of a page or a dialog, as `focusedIn` names it: its first field, of a group
 * the one that is chosen, or Cancel where there is none. Null if the page asks nothing.
 */
export const firstOfQuestion = (page: Page): Promise<string | null> =>
  page.evaluate<string | null>(`(() => {
    const form = (document.querySelector('dialog[open]') ?? document).querySelector('[data-confirm] form');
    if (form === null) return null;
    const fields = [...form.querySelectorAll('input:not([type=hidden]), select, textarea')];
    return fields.find((field) => field.type !== 'radio' || field.checked)?.name ?? 'Cancel';
  })()`);

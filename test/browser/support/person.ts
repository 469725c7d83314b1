import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/support/project.ts';
import type { Locator, Page } from './browser.ts';

/** The presses of a person, and those that docs/design/tasks.md has for each task. */

interface Presses {
  readonly clicks: number;
  readonly keys: number;
  readonly texts: number;
}

/** What the document says of each task, by its name. */
export function readTasks(): ReadonlyMap<string, Presses & { readonly all: number }> {
  const lines = readFileSync(join(ROOT, 'docs/design/tasks.md'), 'utf8').split('\n');
  const rows = lines.map((line) => line.split('|').map((cell) => cell.trim())).filter((cells) => cells.length === 8);
  const counted = rows.filter(([, , clicks]) => /^\d+$/.test(clicks ?? ''));
  return new Map(
    counted.map(([, name = '', ...cells]) => {
      const [clicks = 0, keys = 0, texts = 0, all = 0] = cells.map(Number);
      return [name, { clicks, keys, texts, all }];
    }),
  );
}

/** A person at the first page after the sign-in, whose presses are counted. */
export class Person {
  readonly page: Page;
  readonly counted = { clicks: 0, keys: 0, texts: 0 };

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator, modifiers: readonly 'Shift'[] = []): Promise<void> {
    this.counted.clicks += 1;
    await target.click({ modifiers: [...modifiers] });
    await this.#settle();
  }

  /** Presses a key, or keys that are held together. */
  async press(key: string): Promise<void> {
    this.counted.keys += 1;
    await this.page.keyboard.press(key);
    await this.#settle();
  }

  /** Types a text into a field, which must have the focus. */
  async type(field: string, text: string): Promise<void> {
    await this.in(field);
    this.counted.texts += 1;
    await this.page.keyboard.insertText(text);
  }

  /** Types a date into a field, which must have the focus. */
  async typeDate(field: string, date: string): Promise<void> {
    await (await this.in(field)).fill(date);
    this.counted.texts += 1;
  }

  /** Waits until a field has the focus. */
  async in(field: string): Promise<Locator> {
    const focused = this.page.locator(`[id$="field-${field}"]:focus`);
    await focused.waitFor();
    return focused;
  }

  /** Pastes a text where nothing is typed. */
  async paste(text: string): Promise<void> {
    this.counted.texts += 1;
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.keyboard.press('Control+v');
    await this.#settle();
  }

  /** Chooses a file in the dialog of the system. */
  async choose(field: Locator, name: string, mimeType: string, buffer: Buffer): Promise<void> {
    this.counted.clicks += 1;
    await field.setInputFiles({ name, mimeType, buffer });
  }

  #settle = () => this.page.locator('main[aria-busy]').waitFor({ state: 'detached' });
}

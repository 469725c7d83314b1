import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { PlatformEnv } from '../env.ts';
import { Actions } from '../kit/button.tsx';
import { page } from '../page.tsx';

/** The answer to a form that was sent before: nothing is created twice, and no secret is shown again. */
export function showDoubleSubmit(
  c: Context<PlatformEnv>,
  {
    said,
    advice,
    actions,
  }: {
    /** Sentences: this was sent already, and what was shown the first time is not shown again. */
    said: Child;
    /** A sentence: what to do without it. */
    advice: string;
    actions: Child;
  },
) {
  const title = c.var.words.text('forms.alreadySent');
  return page(
    c,
    { title, narrow: true },
    <div class="confirm">
      <h1>{title}</h1>
      <p>{said}</p>
      <p>{advice}</p>
      <Actions>{actions}</Actions>
    </div>,
  );
}

import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { PlatformEnv } from '../env.ts';
import { Actions } from '../kit/button.tsx';
import { page } from '../page.tsx';

const TITLE = 'Already sent';

/** The answer to a form that was sent before: nothing is created twice, and no secret is shown again. */
export function showDoubleSubmit(
  c: Context<PlatformEnv>,
  {
    shown,
    advice,
    actions,
  }: {
    /** The subject of a sentence: what was shown the first time. */
    shown: Child;
    /** The end of a sentence: what to do without it. */
    advice: string;
    actions: Child;
  },
) {
  return page(
    c,
    { title: TITLE, narrow: true },
    <div class="confirm">
      <h1>{TITLE}</h1>
      <p>This form has already been sent. {shown} was shown only once and cannot be shown again.</p>
      <p>If you did not copy it, {advice}.</p>
      <Actions>{actions}</Actions>
    </div>,
  );
}

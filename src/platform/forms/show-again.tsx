import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts } from '../../http/form.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { sessionOf } from '../guard.ts';
import { Button } from '../kit/button.tsx';
import { Hidden } from '../kit/form.tsx';
import { ownPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { AGAIN, fieldsOf, handOn } from './resume-form.ts';
import type { ResumedForm } from './resumed-form.ts';

/**
 * Showing a form again after an error that has a page of its own: that page carries what was typed, and its button leads
 * to the path of the form, which then shows it and does nothing.
 */

/** The button of such a page. Files and passwords are not carried. */
export function ShowAgain({ path, typed }: { path: string; typed: ResumedForm }) {
  return (
    <form method="post" action={`${path}?${AGAIN}`} enctype="multipart/form-data">
      <Hidden name="typed" value={JSON.stringify(typed)} />
      <Button>{useWords().text('forms.show')}</Button>
    </form>
  );
}

/** Hands on what such a button sends to the path of its form, to be shown again. */
export const showAgain = createMiddleware<PlatformEnv>(async (c, next) => {
  if (c.req.method !== 'POST' || !c.var.site.requestUrl.searchParams.has(AGAIN)) return next();
  const rules = { accepted: [MULTIPART], maxBytes: MAX_FORM_BYTES };
  const { readResumedForm } = await import('../failure-pages.ts');
  const typed = readResumedForm((await readFormAs(c.req.raw, rules, singleTexts))['typed'] ?? '');
  // The page of an error carries it on.
  c.set('sent', fieldsOf(typed));
  const session = await sessionOf(c);
  // What one user has typed is not shown to another one.
  if (session && session.userId !== typed.by) return seeOther(c, '/platform', 'typed-lost');
  handOn(c, typed, c.req.header('Cookie') ?? '', c.var.words.text('forms.sent'));
  return next();
});

/** The path of the page that had the form of a request, which the form's own path may not have; null if unknown. */
export function pageOfForm(c: Context<PlatformEnv>): string | null {
  const { requestUrl } = c.var.site;
  const from = URL.parse(c.req.header('Referer') ?? '');
  return from?.origin === requestUrl.origin ? ownPath(from.pathname + from.search, requestUrl) : null;
}

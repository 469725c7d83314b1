import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { failureHeaders, logFailure } from '../../http/failure.ts';
import type { PlatformEnv } from '../env.ts';
import { PageHeader } from '../kit/section.tsx';
import { page } from '../page.tsx';
import type { FormState } from './form.ts';

/** A form that `submit` has returned, and the status of its page. */
export interface SentForm {
  readonly form: FormState;
  readonly status: ErrorStatus | 200;
}

/**
 * Shows a form that was sent on the page that has it. If that page cannot be read, since a store is not available, the
 * form is shown alone (503), with what was typed and a sentence about the outage. Throws what `whole` throws otherwise.
 *
 * @param whole the response with the page
 */
export async function onItsPage(
  c: Context<PlatformEnv>,
  { form }: SentForm,
  whole: () => Promise<Response>,
  alone: {
    readonly title: string;
    /** The list that leads to the page. */
    readonly list: { readonly href: string; readonly label: string };
    /** The form in its section; null if nothing was typed into it. */
    readonly content: (form: FormState) => Child;
  },
): Promise<Response> {
  try {
    return await whole();
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 503) throw error;
    // What the form itself has met says whether it may have been saved.
    const content = alone.content(c.var.failedNow ? form : { ...form, complaint: c.var.words.said(error.message) });
    if (content === null) throw error;
    logFailure(error, { request_id: c.var.requestId });
    for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
    return page(
      c,
      { title: alone.title, status: error.status },
      <>
        <PageHeader title={alone.title} crumb={alone.list} />
        {content}
      </>,
    );
  }
}

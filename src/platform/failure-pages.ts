/** The pages of failures, in a module that is loaded by the first of them. */

export { ErrorPage } from './error-page.tsx';
export { readResumedForm } from './forms/resumed-form.ts';
export { ClosedPage } from './workspace/closed-page.tsx';
export { DeletedPage } from './workspace/deleted-page.tsx';

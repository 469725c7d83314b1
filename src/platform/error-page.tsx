import type { AppError } from '../errors.ts';
import { ButtonLink } from './kit/button.tsx';
import { withReadableHosts } from './links/display-url.ts';
import { ShowAgain } from './forms/show-again.tsx';
import type { ResumedForm } from './forms/resumed-form.ts';

const TITLES: Partial<Record<AppError['code'], string>> = {
  not_found: 'Page not found',
  not_owner: 'Only an owner can do this',
  wrong_origin: 'This form was sent from another website',
  method_not_allowed: 'This request is not supported',
  body_too_large: 'The upload is too large',
  too_many_requests: 'Too many requests',
  busy: 'The service is busy',
  store_unavailable: 'The service is temporarily unavailable',
  resolver_unavailable: 'DNS is temporarily unavailable',
  internal_error: 'Something went wrong on our side',
};

const ADVICE: Partial<Record<AppError['code'], string>> = {
  not_found: 'Check the address. The page may belong to a workspace that you are not a member of.',
  not_owner: 'Owners manage the members and domains of a workspace and see its audit log. Ask an owner.',
  invalid_cursor: 'This page of the list no longer exists. Open the first page.',
  internal_error: 'The error has been logged. Please try again later.',
};

/** Where the user was when an error came. */
export interface PreviousPage {
  readonly path: string;
  /** True if a form was sent from there. */
  readonly isForm: boolean;
}

/** The values typed into the form whose response an error is, and the path of that form. */
export interface CarriedForm {
  readonly path: string;
  readonly typed: ResumedForm;
}

/** An error that has no page of its own to be shown on. */
export function ErrorPage({
  error,
  before,
  carried,
}: {
  error: AppError;
  /** Null if it is unknown, or no better. */
  before: PreviousPage | null;
  /** Null if it cannot be shown again. */
  carried: CarriedForm | null;
}) {
  const sentence = (!before?.isForm && ADVICE[error.code]) || withReadableHosts(error.message);
  return (
    <div class="confirm">
      <p class="status">{error.status}</p>
      <h1>{TITLES[error.code] ?? 'This request failed'}</h1>
      <p data-error>{sentence}</p>
      {carried && <p>What you typed is kept on this page, except files and passwords.</p>}
      {before?.isForm && !carried && <p>To keep what you typed, use your browser’s Back button.</p>}
      <div class="actions">
        {carried && <ShowAgain {...carried} />}
        {before && !carried && (
          <ButtonLink href={before.path} kind="primary">
            {before.isForm ? 'Go back' : 'Try again'}
          </ButtonLink>
        )}
        <ButtonLink href="/platform">Go to the platform</ButtonLink>
      </div>
    </div>
  );
}

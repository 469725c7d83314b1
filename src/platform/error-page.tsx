import type { AppError } from '../errors.ts';
import { ButtonLink } from './kit/button.tsx';
import { withReadableHosts } from './links/display-url.ts';
import { ShowAgain } from './forms/show-again.tsx';
import { langOf, plain, useWords, type PlainKey } from './words.tsx';
import type { ResumedForm } from './forms/resumed-form.ts';

const TITLES: Partial<Record<AppError['code'], PlainKey>> = {
  not_found: 'errors.notFound',
  not_owner: 'errors.notOwner',
  wrong_origin: 'errors.wrongOrigin',
  method_not_allowed: 'errors.methodNotAllowed',
  body_too_large: 'errors.tooLarge',
  too_many_requests: 'errors.tooMany',
  busy: 'errors.busy',
  store_unavailable: 'errors.unavailable',
  resolver_unavailable: 'errors.noDns',
  internal_error: 'errors.internal',
};

const ADVICE: Partial<Record<AppError['code'], PlainKey>> = {
  not_found: 'errors.notFoundAdvice',
  not_owner: 'errors.notOwnerAdvice',
  method_not_allowed: 'errors.methodAdvice',
  invalid_cursor: 'errors.cursorAdvice',
  internal_error: 'errors.internalAdvice',
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
  const { text, said } = useWords();
  const advice = before?.isForm ? undefined : ADVICE[error.code];
  const sentence = advice ? text(advice) : said(withReadableHosts(error.message));
  return (
    <div class="confirm">
      <p class="status">{error.status}</p>
      <h1>{text(TITLES[error.code] ?? 'errors.failed')}</h1>
      <p data-error lang={langOf(sentence)}>
        {plain(sentence)}
      </p>
      {carried && <p>{text('errors.typedKept')}</p>}
      {before?.isForm && !carried && <p>{text('errors.typedBack')}</p>}
      <div class="actions">
        {carried && <ShowAgain {...carried} />}
        {before && !carried && (
          <ButtonLink href={before.path} kind="primary">
            {text(before.isForm ? 'errors.goBack' : 'errors.tryAgain')}
          </ButtonLink>
        )}
        <ButtonLink href="/platform">{text('errors.toPlatform')}</ButtonLink>
      </div>
    </div>
  );
}

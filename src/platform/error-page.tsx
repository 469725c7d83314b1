import type { AppError } from '../errors.ts';
import { ButtonLink } from './kit/button.tsx';

const TITLES: Partial<Record<AppError['code'], string>> = {
  not_found: 'There is no such page',
  not_owner: 'Only an owner can do this',
  wrong_origin: 'This form came from somewhere else',
  method_not_allowed: 'This page cannot be used like that',
  body_too_large: 'This is too much at once',
  too_many_requests: 'Too many tries',
  busy: 'The service is busy',
  store_unavailable: 'This is out of order for the moment',
  resolver_unavailable: 'DNS cannot be asked for the moment',
  internal_error: 'Something is broken on our side',
};

const ADVICE: Partial<Record<AppError['code'], string>> = {
  not_found: 'Check the address. The page may belong to a client that you are not a member of.',
  not_owner: 'Owners of the client manage its members and domains and see its audit log. Ask one of them.',
  invalid_cursor: 'This address belongs to another list, or to an older one. Open the list from its beginning.',
  internal_error: 'It has been logged. Please try again later.',
};

/** An error that has no page of its own to be shown on. */
export function ErrorPage({ error }: { error: AppError }) {
  return (
    <div class="confirm">
      <p class="status">{error.status}</p>
      <h1>{TITLES[error.code] ?? 'This did not work'}</h1>
      <p>{ADVICE[error.code] ?? error.message}</p>
      <div class="actions">
        <ButtonLink href="/platform">To the platform</ButtonLink>
      </div>
    </div>
  );
}

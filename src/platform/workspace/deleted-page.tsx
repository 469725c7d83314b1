import type { DeletedClient, Session } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

/** The content of all pages of a deleted workspace, with Undo for its owners. */
export function DeletedPage({ client, session }: { client: DeletedClient; session: Session }) {
  const hasTime = client.endsAt > Date.now();
  return (
    <div class="confirm">
      <h1>{isolated(client.name)} has been deleted</h1>
      <p>Its links, domains, API keys and tokens no longer work.</p>
      {hasTime ? (
        <p>
          Until <Time at={client.endsAt} timeZone={session.timeZone} />{' '}
          {client.role === 'owner' ? 'you can undo this' : 'an owner can undo this'}, and all of it works again. Then
          everything is removed.
        </p>
      ) : (
        <p>This can no longer be undone: everything is being removed.</p>
      )}
      {client.role === 'owner' && hasTime && (
        <form method="post" action={clientPath(client, 'restore')}>
          <Actions>
            <Button>Undo the deletion</Button>
            <ButtonLink href="/platform/account">Your account</ButtonLink>
          </Actions>
        </form>
      )}
    </div>
  );
}

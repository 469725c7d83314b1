import type { DeletedClient, Session } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { timeIn } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';

/** The content of all pages of a deleted workspace, with Undo for its owners. */
export function DeletedPage({ client, session }: { client: DeletedClient; session: Session }) {
  const words = useWords();
  const { text, content } = words;
  const until = timeIn(words, client.endsAt, session.timeZone);
  const hasTime = client.endsAt > Date.now();
  return (
    <div class="confirm">
      <h1>{text('workspace.deleted', { name: isolated(client.name) })}</h1>
      <p>{text('workspace.deletedEffect')}</p>
      {hasTime ? (
        <p>
          {client.role === 'owner' ? content('workspace.youCanUndo', until) : content('workspace.ownerCanUndo', until)}
        </p>
      ) : (
        <p>{text('workspace.noUndo')}</p>
      )}
      {client.role === 'owner' && hasTime && (
        <form method="post" action={clientPath(client, 'restore')}>
          <Actions>
            <Button>{text('workspace.undoDeletion')}</Button>
            <ButtonLink href="/platform/account">{text('home.account')}</ButtonLink>
          </Actions>
        </form>
      )}
    </div>
  );
}

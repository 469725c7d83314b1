import type { ClosedClient } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { useWords } from '../words.tsx';
import { providerSignInPath } from './provider-sign-in-path.ts';

/** The content of all pages of a workspace that the session does not open, with the way that does. */
export function ClosedPage({ client }: { client: ClosedClient }) {
  const { text } = useWords();
  const { why, name, provider } = client;
  const shown = isolated(provider ?? text('requiredProvider.aProvider'));
  return (
    <div class="confirm">
      <h1>
        {why === 'suspended'
          ? text('requiredProvider.suspendedTitle', { name: isolated(name) })
          : text('requiredProvider.closedTitle', { name: isolated(name), provider: shown })}
      </h1>
      <p>
        {why === 'provider'
          ? text('requiredProvider.closedEffect', { provider: shown })
          : provider === null
            ? text('requiredProvider.suspendedAsk')
            : text('requiredProvider.suspendedEffect', { provider: shown })}
      </p>
      <Actions>
        {provider !== null && (
          <ButtonLink href={providerSignInPath(client)} kind="primary">
            {text('requiredProvider.signIn', { provider: shown })}
          </ButtonLink>
        )}
        <ButtonLink href="/platform/account">{text('home.account')}</ButtonLink>
      </Actions>
    </div>
  );
}

import type { AuthorizationRequest } from '../../accounts/oauth/authorization-request.ts';
import { hostOfUri, isOnThisDevice } from '../../accounts/oauth/redirect-uris.ts';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { CheckboxGroup } from '../kit/boxes.tsx';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form, Hidden, Select } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { Facts } from '../kit/section.tsx';
import { scopesIn } from '../keys/scopes.ts';
import { useWords, type PageWords } from '../words.tsx';
import { CONSENT_PATH } from '../../http/paths.ts';

/** The name of an application for people, which is never shown without its host. */
export const nameOfApplication = (
  { text }: PageWords,
  { name, host }: { readonly name: string | null; readonly host: string },
): string =>
  name === null ? text('applications.unnamed', { host }) : text('applications.named', { name: isolated(name), host });

/**
 * Asks a user whether an application gets access.
 *
 * @param sent the query of the request, which the form sends again
 */
export function ConsentPage({
  request,
  clients,
  userName,
  form,
  sent,
}: {
  request: AuthorizationRequest;
  clients: readonly OwnClient[];
  userName: string;
  form: FormState;
  sent: string;
}) {
  const words = useWords();
  const { text, content } = words;
  const { host, redirectUri } = request;
  const application = nameOfApplication(words, { name: request.application.name, host });
  return (
    <div class="confirm">
      <h1>{content('applications.asks', { application })}</h1>
      <Notice kind="warning">
        {isOnThisDevice(redirectUri) ? text('applications.onThisDevice') : content('applications.selfNamed', { host })}
      </Notice>
      {clients.length === 0 ? (
        <p>{text('applications.noWorkspace')}</p>
      ) : (
        <Form form={form} action={CONSENT_PATH}>
          <Hidden name="request" value={sent} />
          <Select
            form={form}
            name="client_id"
            label={text('workspace.title')}
            hint={text('applications.workspaceHint')}
            options={clients.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <CheckboxGroup
            form={form}
            name="scopes"
            label={text('keys.permissions')}
            value={request.scopes.join(' ')}
            options={scopesIn(words).filter(({ value }) => request.scopes.includes(value))}
          />
          <Facts
            facts={[
              { term: text('account.userName'), value: <bdi>{userName}</bdi> },
              { term: text('applications.returnsTo'), value: <bdi dir="ltr">{hostOfUri(redirectUri)}</bdi> },
            ]}
          />
          <Actions>
            <Button name="decision" value="allow">
              {text('applications.allow')}
            </Button>
            <Button name="decision" value="refuse" kind="quiet">
              {text('applications.refuse')}
            </Button>
          </Actions>
        </Form>
      )}
    </div>
  );
}

/** A request that was refused, of an application that is not known. */
export function UnknownApplication() {
  const { text } = useWords();
  return (
    <div class="confirm">
      <h1>{text('applications.unknown')}</h1>
      <p>{text('applications.unknownHint')}</p>
      <Actions>
        <ButtonLink href="/platform">{text('errors.toPlatform')}</ButtonLink>
      </Actions>
    </div>
  );
}

/**
 * A request that was refused, of a known application. The browser goes back to it only if its user wants to, so that no
 * request uses this service as a redirect.
 *
 * @param back the URI with the error
 */
export function InvalidRequest({ host, error, back }: { host: string; error: string; back: string }) {
  const { text, content } = useWords();
  return (
    <div class="confirm">
      <h1>{text('applications.invalid')}</h1>
      <p>{content('applications.invalidHint', { host, error })}</p>
      <Actions>
        <ButtonLink href={back}>{text('applications.goBackTo', { host })}</ButtonLink>
        <ButtonLink href="/platform">{text('errors.toPlatform')}</ButtonLink>
      </Actions>
    </div>
  );
}

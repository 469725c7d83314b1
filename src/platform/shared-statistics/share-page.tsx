import type { Share, Shared } from '../../links/shares/shares.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Checkbox } from '../kit/boxes.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { pathOf, sharedPath, sharePath } from './paths.ts';

interface ShareProps {
  readonly client: OwnClient;
  readonly shared: Shared;
  readonly share: Share | null;
  readonly form: FormState;
  /** The origin of the service. */
  readonly origin: string;
}

/** The page about the public statistics page of a link or a campaign. */
export function SharePage(props: ShareProps) {
  const { client, shared } = props;
  return (
    <>
      <PageHeader
        title="Public statistics"
        lead="A page that shows the clicks to everyone who has its address."
        crumb={{
          href: pathOf(client, shared),
          label: shared.kind === 'link' ? 'Link' : <bdi class="broken">{shared.name}</bdi>,
        }}
      />
      <ShareSection {...props} />
    </>
  );
}

/** The page as a section, for a page of its link or its campaign. */
function ShareSection(props: ShareProps) {
  const { client, shared, share, form } = props;
  const what = shared.kind === 'link' ? 'short link, its title' : 'name of the campaign';
  return (
    <Section
      id="share"
      title="Public statistics"
      hint={`Visitors see the ${what} and its clicks. They see no destinations, tags, comments or files, and search engines leave the page out.`}
    >
      {share ? (
        <Shared {...props} share={share} />
      ) : (
        <Form form={form} action={sharePath(client, shared)}>
          <p>There is no public page.</p>
          <PasswordField form={form} hint="If you set one, visitors enter it before they see the clicks." optional />
          <Actions>
            <Button>
              <span data-copies>Create public page</span>
            </Button>
          </Actions>
        </Form>
      )}
    </Section>
  );
}

function Shared({ client, shared, share, form, origin }: ShareProps & { readonly share: Share }) {
  const { secret, hasPassword } = share;
  return (
    <>
      {secret === null ? (
        <Notice kind="warning">
          The page works, but its address can no longer be shown, since the keys of the service were replaced. Revoke it
          to create a new one.
        </Notice>
      ) : (
        <>
          <CopyField id="shared-address" label="Address" value={`${origin}${sharedPath(secret)}`} wide />
          <Actions>
            <ButtonLink href={sharedPath(secret)}>Open</ButtonLink>
          </Actions>
        </>
      )}
      <Form form={form} action={sharePath(client, shared, '/password')} isKept={false}>
        <p>{hasPassword ? 'Visitors need a password.' : 'Visitors need no password.'}</p>
        <PasswordField
          form={form}
          hint="Visitors who have entered the former one must enter this one."
          optional={hasPassword}
        />
        {hasPassword && <Checkbox name="remove" label="Remove the password" checked={form.values['remove'] === 'on'} />}
        <Actions>
          <Button kind="quiet">{hasPassword ? 'Change password' : 'Set password'}</Button>
        </Actions>
      </Form>
      <Actions>
        <ButtonLink href={sharePath(client, shared, '/revoke')} kind="danger" confirms>
          Revoke page
        </ButtonLink>
      </Actions>
    </>
  );
}

function PasswordField({ form, hint, optional }: { form: FormState; hint: string; optional: boolean }) {
  return (
    <Field
      form={form}
      name="password"
      type="password"
      label="Password"
      autocomplete="new-password"
      {...{ hint, optional }}
    />
  );
}

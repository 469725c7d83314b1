import type { Session } from '../../accounts/sessions/session.ts';
import { SHARED_SLUG_LENGTHS } from '../../links/slugs/slug.ts';
import { UNDO_DAYS, type DeletionConditions } from '../../workspaces/deletion.ts';
import type { WorkspaceSettings } from '../../workspaces/settings.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage, TypedName } from '../kit/confirm.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SlugLengthForm } from '../links/slug-length-form.tsx';
import { clientPath } from '../nav.ts';

interface Viewed {
  readonly client: OwnClient;
  readonly session: Session;
  readonly conditions: DeletionConditions;
  readonly form: FormState;
}

/** The settings of a workspace itself. */
export function WorkspacePage({
  client,
  session,
  conditions,
  form,
  settings: { areChecked, slugLength },
}: Viewed & { settings: WorkspaceSettings }) {
  return (
    <>
      <PageHeader title="Workspace" />
      <Section id="name" title="Name" hint="What members see. Programs use the ID, which stays the same.">
        <Form form={form} action={clientPath(client, 'settings')}>
          <Field
            form={form}
            name="name"
            label="Name"
            hint="Up to 64 characters. Without a name, its ID is shown."
            optional
          />
          <Actions>
            <Button kind="quiet">Save name</Button>
          </Actions>
        </Form>
        <CopyField id="client-id" label="Workspace ID" value={client.id} />
      </Section>
      <Checks {...{ client, areChecked }} />
      <Section
        id="slugs"
        title="Generated slugs"
        hint={`On the service's own host, links without a slug of your choice get one of ${slugLength} characters. Each domain has a length of its own.`}
      >
        <SlugLengthForm
          lengths={SHARED_SLUG_LENGTHS}
          {...{ slugLength, form }}
          action={clientPath(client, 'settings/slugs')}
        />
      </Section>
      <OtherWorkspaces {...{ client, session }} />
      <Section
        id="deletion"
        title="Delete"
        hint={`Links stop at once. For ${UNDO_DAYS} days you can undo it; then everything is removed.`}
      >
        {conditions.otherOwners.length > 0 ? (
          <OtherOwners {...{ client, session, conditions }} />
        ) : (
          <Actions>
            <ButtonLink href={clientPath(client, 'settings/delete')} kind="danger">
              Delete workspace
            </ButtonLink>
          </Actions>
        )}
      </Section>
    </>
  );
}

/** The switch for the checks of the destinations of all links. */
function Checks({ client, areChecked }: { client: OwnClient; areChecked: boolean }) {
  return (
    <Section
      id="checks"
      title="Check destinations"
      hint="Requests the destination of each link at least every 7 days, to find those that no longer exist. A link can say otherwise."
    >
      <Form form={newForm()} action={clientPath(client, 'settings/checks')} isKept={false}>
        <Hidden name="checks" value={areChecked ? 'off' : 'on'} />
        <p>
          {areChecked ? 'Destinations are checked. ' : 'Destinations are not checked. '}
          {areChecked && <a href={`${clientPath(client, 'links')}?unhealthy=true`}>Unhealthy links</a>}
        </p>
        <Actions>
          <Button kind="quiet">{areChecked ? 'Turn off checks' : 'Turn on checks'}</Button>
        </Actions>
      </Form>
    </Section>
  );
}

function OtherWorkspaces({ client, session: { clients } }: { client: OwnClient; session: Session }) {
  const others = clients.filter(({ id }) => id !== client.id);
  if (others.length === 0) return null;
  return (
    <Section id="others" title="Other workspaces" hint="You can also switch at the top of every page.">
      <ul class="plain-list">
        {others.map((other) => (
          <li>
            <a href={clientPath(other)}>
              <bdi>{other.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Who must do what before a workspace with several owners can be deleted, with links to where it is done. */
function OtherOwners({ client, session, conditions: { otherOwners } }: Omit<Viewed, 'form'>) {
  const [isOne, pageOf] = [otherOwners.length === 1, (userId: string) => clientPath(client, `members/${userId}`)];
  return (
    <div class="prose">
      <p>Only the last owner can delete a workspace. {isOne ? 'There is another owner:' : 'There are other owners:'}</p>
      <ul class="plain-list">
        {otherOwners.map(({ userId, name }) => (
          <li>
            <a href={pageOf(userId)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <strong>To delete it yourself</strong>, open the page of {isOne ? 'the other owner' : 'each other owner'} above.
        Change the role to member, or remove them; {isOne ? 'the owner' : 'each of them'} can also leave. Then delete
        the workspace here.
      </p>
      <p>
        <strong>To let {isOne ? 'the other owner' : 'another owner'} delete it</strong>,{' '}
        <a href={pageOf(session.userId)}>leave the workspace, or change your own role to member</a>.
        {!isOne && ' Only one owner may remain.'}
      </p>
    </div>
  );
}

/** Asks for the name of the workspace before it is deleted. */
export function DeletePage({ client, session, conditions, form }: Viewed) {
  const { name, otherOwners, members, keys } = conditions;
  if (otherOwners.length > 0) {
    return (
      <div class="confirm">
        <h1>This workspace has other owners</h1>
        <OtherOwners {...{ client, session, conditions }} />
        <Actions>
          <ButtonLink href={clientPath(client, 'settings')}>Back</ButtonLink>
        </Actions>
      </div>
    );
  }
  return (
    <ConfirmPage
      title={`Delete ${isolated(name)}?`}
      label="Delete workspace"
      back={clientPath(client, 'settings')}
      form={form}
      fields={<TypedName form={form} label="Name of the workspace" name={name} />}
    >
      <p>
        <strong>Its links and domains stop working</strong>, everywhere within three minutes. Visitors see a page that
        says that the link is no longer available.
      </p>
      <p>
        {count(members, 'member loses', 'members lose')} access, and {count(keys, 'API key stops', 'API keys stop')}{' '}
        working, with all tokens for this workspace.
      </p>
      <p>
        For {UNDO_DAYS} days you can undo this, and all of it works again. Then links, clicks, domains, keys, tags and
        the audit log are removed, and others can use the slugs of its links.
      </p>
    </ConfirmPage>
  );
}

const count = (number: number, one: string, several: string) => `${number} ${number === 1 ? one : several}`;

import type { PropsWithChildren } from 'hono/jsx';
import type { Invite } from '../../accounts/invites/invites.ts';
import type { Member, MemberDetails } from '../../accounts/members/members.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { Form } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { SettingRows, SettingsList, type Setting } from '../kit/settings-list.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

const ROLE_LABELS = { owner: 'Owner', member: 'Member' } as const;

export const ROLE_OPTIONS = [
  { value: 'member', label: 'Member', hint: 'Can manage all links and their own API keys, and view domains.' },
  {
    value: 'owner',
    label: 'Owner',
    hint: 'Can also manage all API keys, domains and members, and view the audit log.',
  },
];

interface Viewed {
  readonly client: OwnClient;
  readonly session: Session;
}

export function MembersPage({
  members,
  invites,
  client,
  session,
  filter,
  pages,
}: Viewed & {
  members: readonly Member[];
  invites: readonly Invite[];
  /** The text that the names contain; '' for all. */
  filter: string;
  pages: { next: string | null; first: string | null };
}) {
  return (
    <>
      <SettingsList
        title="Members"
        lead={`People with access to ${isolated(client.name)}.`}
        action={{ href: clientPath(client, 'members/invite'), label: 'Invite member' }}
        settings={members.map((member) => memberSetting(member, client, session))}
        filter={filter}
        pages={pages}
      />
      <Section id="invites" title="Open invites" hint="Invite links that have not been used yet.">
        {invites.length === 0 ? (
          <p class="quiet">No open invites. An invite link can be used once, within 72 hours.</p>
        ) : (
          <SettingRows
            label="Open invites"
            settings={invites.map((invite) => inviteSetting(invite, client, session))}
          />
        )}
      </Section>
    </>
  );
}

function memberSetting(
  { userId, name, role, joinedAt, disabledAt }: Member,
  client: OwnClient,
  session: Session,
): Setting {
  const href = clientPath(client, `members/${userId}`);
  const isOneself = userId === session.userId;
  return {
    href,
    name: <bdi>{name}</bdi>,
    title: name,
    state: (
      <>
        {isOneself && <Badge kind="success">You</Badge>}
        {disabledAt !== null && <Badge kind="danger">Disabled</Badge>}
      </>
    ),
    facts: [ROLE_LABELS[role], <>Joined {age(joinedAt, session)}</>],
    acts: [
      { icon: 'pencil', label: 'Change role', href: `${href}#role` },
      ...(isOneself || disabledAt !== null
        ? []
        : [{ icon: 'key-round', label: 'Create reset link', href: `${href}/reset`, confirms: true } as const]),
      { icon: 'trash-2', label: isOneself ? 'Leave workspace' : 'Remove', href: `${href}/remove`, confirms: true },
    ],
  };
}

function inviteSetting(
  { id, role, createdBy, createdAt, expiresAt }: Invite,
  client: OwnClient,
  session: Session,
): Setting {
  return {
    name: role === 'owner' ? 'For an owner' : 'For a member',
    title: `the invite created by ${isolated(createdBy)}`,
    facts: [
      <>
        Expires <Time at={expiresAt} timeZone={session.timeZone} />
      </>,
      <>
        Created {age(createdAt, session)} by <bdi>{createdBy}</bdi>
      </>,
    ],
    acts: [{ icon: 'ban', label: 'Revoke', href: clientPath(client, `members/invites/${id}/revoke`), confirms: true }],
  };
}

const age = (at: number, { timeZone }: Session) => <RelativeTime at={at} timeZone={timeZone} />;

export function MemberPage({ member, client, session, form }: Viewed & { member: MemberDetails; form: FormState }) {
  const { timeZone } = session;
  const path = clientPath(client, `members/${member.userId}`);
  const isOneself = member.userId === session.userId;
  return (
    <>
      <PageHeader
        title={member.name}
        lead={
          member.disabledAt === null ? undefined : (
            <>
              Disabled since <Time at={member.disabledAt} timeZone={timeZone} /> by the operator of the service.
            </>
          )
        }
        crumb={{ href: clientPath(client, 'members'), label: 'Members' }}
      />
      <Section id="about" title="Member">
        <Facts
          facts={[
            { term: 'Role', value: ROLE_LABELS[member.role] },
            { term: 'Joined', value: <Time at={member.joinedAt} timeZone={timeZone} /> },
            { term: 'Active API keys', value: String(member.keys) },
          ]}
        />
      </Section>
      <RoleSection form={form} action={path}>
        {member.isLastOwner && (
          <p>
            {isOneself ? 'You are' : 'They are'} the last owner who can sign in. To change the role or leave, give
            another member the owner role first.
          </p>
        )}
      </RoleSection>
      {!isOneself && member.disabledAt === null && (
        <Section id="reset" title="Password" hint="For members who forgot their password.">
          <Actions>
            <ButtonLink href={`${path}/reset`} confirms>
              Create reset link
            </ButtonLink>
          </Actions>
        </Section>
      )}
      <Section
        id="removal"
        title={isOneself ? 'Leave' : 'Remove'}
        hint={isOneself ? 'To come back, you need a new invite.' : 'To come back, they need a new invite.'}
      >
        {member.isLastOwner ? (
          <p>The last owner cannot {isOneself ? 'leave' : 'be removed'}.</p>
        ) : (
          <Actions>
            <ButtonLink href={`${path}/remove`} kind="danger" confirms>
              {isOneself ? 'Leave workspace' : 'Remove member'}
            </ButtonLink>
          </Actions>
        )}
      </Section>
    </>
  );
}

/** The form that changes the role of a member, and what is to be known before. */
export function RoleSection({ form, action, children }: PropsWithChildren<{ form: FormState; action: string }>) {
  return (
    <Section id="role" title="Role" hint="A change takes effect at once.">
      {children}
      <Form form={form} action={action}>
        <RadioGroup form={form} name="role" label="Role" options={ROLE_OPTIONS} />
        <Actions>
          <Button kind="quiet">Change role</Button>
        </Actions>
      </Form>
    </Section>
  );
}

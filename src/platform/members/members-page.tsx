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
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
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
  pages,
}: Viewed & {
  members: readonly Member[];
  invites: readonly Invite[];
  pages: Parameters<typeof Pager>[0];
}) {
  const { timeZone } = session;
  return (
    <>
      <PageHeader
        title="Members"
        lead={`People with access to ${isolated(client.name)}.`}
        actions={
          <ButtonLink href={clientPath(client, 'members/invite')} kind="primary">
            Invite
          </ButtonLink>
        }
      />
      <div class="panel">
        <Table caption="Members" columns={memberColumns(client, session)} rows={members} />
      </div>
      <Pager {...pages} />
      <Section id="invites" title="Open invites" hint="Invite links that have not been used yet.">
        {invites.length === 0 ? (
          <p class="quiet">No open invites. An invite link can be used once, within 72 hours.</p>
        ) : (
          <Table caption="Open invites" columns={inviteColumns(client, timeZone)} rows={invites} />
        )}
      </Section>
    </>
  );
}

function memberColumns(client: OwnClient, { userId, timeZone }: Session): readonly Column<Member>[] {
  return [
    {
      label: 'Name',
      cell: (member) => (
        <>
          <a href={clientPath(client, `members/${member.userId}`)}>
            <bdi>{member.name}</bdi>
          </a>{' '}
          {member.userId === userId && <Badge kind="success">You</Badge>}
          {member.disabledAt !== null && <Badge kind="danger">Disabled</Badge>}
        </>
      ),
    },
    { label: 'Role', align: 'whole', cell: ({ role }) => ROLE_LABELS[role] },
    { label: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} timeZone={timeZone} /> },
  ];
}

function inviteColumns(client: OwnClient, timeZone: string): readonly Column<Invite>[] {
  return [
    { label: 'Role', cell: ({ role }) => <span class="whole">{ROLE_LABELS[role]}</span> },
    { label: 'Created by', cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
    { label: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: ({ id, createdBy }) => (
        <ButtonLink
          href={clientPath(client, `members/invites/${id}/revoke`)}
          label={`Revoke the invite created by ${isolated(createdBy)}`}
          small
          confirms
        >
          Revoke
        </ButtonLink>
      ),
    },
  ];
}

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
      <Section id="role" title="Role" hint="A change takes effect at once.">
        {member.isLastOwner && (
          <p>
            {isOneself ? 'You are' : 'They are'} the last owner who can sign in. To change the role or leave, give
            another member the owner role first.
          </p>
        )}
        <Form form={form} action={path}>
          <RadioGroup form={form} name="role" label="Role" options={ROLE_OPTIONS} />
          <Actions>
            <Button kind="quiet">Change role</Button>
          </Actions>
        </Form>
      </Section>
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

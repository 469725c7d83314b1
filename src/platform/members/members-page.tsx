import type { Invite } from '../../accounts/invites.ts';
import type { Member, MemberDetails } from '../../accounts/members.ts';
import type { Session } from '../../accounts/session.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { isolated } from '../isolated.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form, RadioGroup } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

const ROLE_LABELS = { owner: 'Owner', member: 'Member' } as const;

export const ROLE_OPTIONS = [
  { value: 'member', label: 'Member', hint: 'Works on all links and on their own API keys, and sees domains.' },
  { value: 'owner', label: 'Owner', hint: 'Does everything: keys, domains, members and the audit log too.' },
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
        lead={`Who works on ${client.id}.`}
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
      <Section id="invites" title="Open invites" hint="Links that were made, and that nobody has used yet.">
        {invites.length === 0 ? (
          <p class="quiet">There are none. An invite is a link that one person can use within 72 hours.</p>
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
    { label: 'Made by', cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
    { label: 'Made', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
    { label: 'Good until', cell: ({ expiresAt }) => <Time at={expiresAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: ({ id, createdBy }) => (
        <ButtonLink
          href={clientPath(client, `members/invites/${id}/revoke`)}
          label={`Revoke the invite made by ${isolated(createdBy)}`}
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
              Disabled since <Time at={member.disabledAt} timeZone={timeZone} />: the operator of the service refuses
              them.
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
            { term: 'Working API keys', value: String(member.keys) },
          ]}
        />
      </Section>
      <Section id="role" title="Role" hint="A change holds from their next request on.">
        {member.isLastOwner && (
          <p>
            {isOneself ? 'You are' : 'They are'} the last owner who can sign in, and so can neither step down nor leave.
            First make somebody else an owner.
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
        <Section id="reset" title="Password" hint="For who has forgotten theirs.">
          {member.belongsElsewhere ? (
            <p>
              They belong to other clients too, so only the operator of the service can reset their password, with{' '}
              <code>npm run account -- reset</code>.
            </p>
          ) : (
            <Actions>
              <ButtonLink href={`${path}/reset`} confirms>
                Make a reset link
              </ButtonLink>
            </Actions>
          )}
        </Section>
      )}
      <Section
        id="removal"
        title={isOneself ? 'Leave' : 'Remove'}
        hint={isOneself ? 'You can come back by an invite only.' : 'They can come back by an invite only.'}
      >
        {member.isLastOwner ? (
          <p>The last owner cannot {isOneself ? 'leave' : 'be removed'}.</p>
        ) : (
          <Actions>
            <ButtonLink href={`${path}/remove`} kind="danger" confirms>
              {isOneself ? 'Leave this client' : 'Remove member'}
            </ButtonLink>
          </Actions>
        )}
      </Section>
    </>
  );
}

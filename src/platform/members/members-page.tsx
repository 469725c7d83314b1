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
import { agoIn } from '../kit/relative-time.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { SettingRows, SettingsList, type Setting } from '../kit/settings-list.tsx';
import { Time, timeIn } from '../kit/time.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { clientPath } from '../nav.ts';

const ROLE_LABELS = { owner: 'members.owner', member: 'members.member' } as const;

export const roleOptions = ({ text }: PageWords) => [
  { value: 'member', label: text('members.member'), hint: text('members.memberHint') },
  { value: 'owner', label: text('members.owner'), hint: text('members.ownerHint') },
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
  const words = useWords();
  const { text } = words;
  return (
    <>
      <SettingsList
        title={text('members.title')}
        lead={text('members.lead', { name: isolated(client.name) })}
        action={{ href: clientPath(client, 'members/invite'), label: text('members.inviteMember') }}
        settings={members.map((member) => memberSetting(words, member, client, session))}
        filter={filter}
        pages={pages}
      />
      <Section id="invites" title={text('members.invites')} hint={text('members.invitesHint')}>
        {invites.length === 0 ? (
          <p class="quiet">{text('members.noInvites')}</p>
        ) : (
          <SettingRows
            label={text('members.invites')}
            settings={invites.map((invite) => inviteSetting(words, invite, client, session))}
          />
        )}
      </Section>
    </>
  );
}

function memberSetting(
  words: PageWords,
  { userId, name, role, joinedAt, disabledAt }: Member,
  client: OwnClient,
  session: Session,
): Setting {
  const { text } = words;
  const href = clientPath(client, `members/${userId}`);
  const isOneself = userId === session.userId;
  return {
    href,
    name: <bdi>{name}</bdi>,
    title: name,
    state: (
      <>
        {isOneself && <Badge kind="success">{text('members.you')}</Badge>}
        {disabledAt !== null && <Badge kind="danger">{text('members.disabled')}</Badge>}
      </>
    ),
    facts: [text(ROLE_LABELS[role]), words.content('members.joinedAgo', agoIn(words, joinedAt, session.timeZone))],
    acts: [
      { icon: 'pencil', label: text('members.changeRole'), href: `${href}#role` },
      ...(isOneself || disabledAt !== null
        ? []
        : [{ icon: 'key-round', label: text('members.createReset'), href: `${href}/reset`, confirms: true } as const]),
      {
        icon: 'trash-2',
        label: text(isOneself ? 'members.leaveWorkspace' : 'members.remove'),
        href: `${href}/remove`,
        confirms: true,
      },
    ],
  };
}

function inviteSetting(
  words: PageWords,
  { id, role, createdBy, createdAt, expiresAt }: Invite,
  client: OwnClient,
  session: Session,
): Setting {
  const { text, content } = words;
  return {
    name: text(role === 'owner' ? 'members.forOwner' : 'members.forMember'),
    title: text('members.inviteBy', { name: isolated(createdBy) }),
    facts: [
      content('kit.expiresAt', timeIn(words, expiresAt, session.timeZone)),
      content('kit.createdBy', { createdBy, ...agoIn(words, createdAt, session.timeZone) }),
    ],
    acts: [
      {
        icon: 'ban',
        label: text('kit.revoke'),
        href: clientPath(client, `members/invites/${id}/revoke`),
        confirms: true,
      },
    ],
  };
}

export function MemberPage({ member, client, session, form }: Viewed & { member: MemberDetails; form: FormState }) {
  const words = useWords();
  const { text } = words;
  const { timeZone } = session;
  const path = clientPath(client, `members/${member.userId}`);
  const isOneself = member.userId === session.userId;
  return (
    <>
      <PageHeader
        title={member.name}
        lead={
          member.disabledAt === null
            ? undefined
            : words.content('members.disabledSince', timeIn(words, member.disabledAt, timeZone))
        }
        crumb={{ href: clientPath(client, 'members'), label: text('members.title') }}
      />
      <Section id="about" title={text('members.member')}>
        <Facts
          facts={[
            { term: text('members.role'), value: text(ROLE_LABELS[member.role]) },
            { term: text('members.joined'), value: <Time at={member.joinedAt} timeZone={timeZone} /> },
            { term: text('members.activeKeys'), value: String(member.keys) },
          ]}
        />
      </Section>
      <RoleSection form={form} action={path}>
        {member.isLastOwner && <p>{text(isOneself ? 'members.youAreLast' : 'members.theyAreLast')}</p>}
      </RoleSection>
      {!isOneself && member.disabledAt === null && (
        <Section id="reset" title={text('account.password')} hint={text('members.passwordHint')}>
          <Actions>
            <ButtonLink href={`${path}/reset`} confirms>
              {text('members.createReset')}
            </ButtonLink>
          </Actions>
        </Section>
      )}
      <Section
        id="removal"
        title={text(isOneself ? 'members.leave' : 'members.remove')}
        hint={text(isOneself ? 'members.youNeedInvite' : 'members.theyNeedInvite')}
      >
        {member.isLastOwner ? (
          <p>{text(isOneself ? 'members.lastCannotLeave' : 'members.lastCannotBeRemoved')}</p>
        ) : (
          <Actions>
            <ButtonLink href={`${path}/remove`} kind="danger" confirms>
              {text(isOneself ? 'members.leaveWorkspace' : 'members.removeMember')}
            </ButtonLink>
          </Actions>
        )}
      </Section>
    </>
  );
}

/** The form that changes the role of a member, and what is to be known before. */
export function RoleSection({ form, action, children }: PropsWithChildren<{ form: FormState; action: string }>) {
  const words = useWords();
  const { text } = words;
  return (
    <Section id="role" title={text('members.role')} hint={text('members.roleHint')}>
      {children}
      <Form form={form} action={action}>
        <RadioGroup form={form} name="role" label={text('members.role')} options={roleOptions(words)} />
        <Actions>
          <Button kind="quiet">{text('members.changeRole')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}

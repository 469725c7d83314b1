import type { PropsWithChildren } from 'hono/jsx';
import type { Invite } from '../../accounts/invites/invites.ts';
import type { Member, MemberDetails } from '../../accounts/members/members.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
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
import { inviteSetting } from './invite-setting.ts';

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

function memberSetting(words: PageWords, member: Member, client: OwnClient, session: Session): Setting {
  const { text } = words;
  const { userId, shownName, role, joinedAt, disabledAt, suspendedAt, isRoleGiven, providers } = member;
  const [lastProvider] = providers;
  const href = clientPath(client, `members/${userId}`);
  const isOneself = userId === session.userId;
  return {
    href,
    name: <bdi>{shownName}</bdi>,
    title: shownName,
    state: (
      <>
        {isOneself && <Badge kind="success">{text('members.you')}</Badge>}
        {disabledAt !== null && <Badge kind="danger">{text('members.disabled')}</Badge>}
        {suspendedAt !== null && <Badge kind="danger">{text('members.suspended')}</Badge>}
      </>
    ),
    facts: [
      isRoleGiven ? text('members.fromProvider', { role: text(ROLE_LABELS[role]) }) : text(ROLE_LABELS[role]),
      waysOf(words, member),
      ...(lastProvider
        ? [words.content('members.confirmedAgo', agoIn(words, lastProvider.confirmedAt, session.timeZone))]
        : []),
      words.content('members.joinedAgo', agoIn(words, joinedAt, session.timeZone)),
    ],
    acts: [
      ...(suspendedAt === null
        ? [{ icon: 'pencil', label: text('members.changeRole'), href: `${href}#role` } as const]
        : []),
      ...(isOneself || disabledAt !== null || suspendedAt !== null
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

/** The ways in which a member signs in: the password, and providers by their names. */
const waysOf = ({ text, list }: PageWords, { hasPassword, providers }: Member): string =>
  list([...(hasPassword ? [text('account.password')] : []), ...providers.map(({ name }) => isolated(name))]);

export function MemberPage({ member, client, session, form }: Viewed & { member: MemberDetails; form: FormState }) {
  const words = useWords();
  const { text } = words;
  const { timeZone } = session;
  const path = clientPath(client, `members/${member.userId}`);
  const isOneself = member.userId === session.userId;
  return (
    <>
      <PageHeader
        title={member.shownName}
        lead={
          member.disabledAt !== null
            ? words.content('members.disabledSince', timeIn(words, member.disabledAt, timeZone))
            : member.suspendedAt !== null
              ? words.content('members.suspendedSince', timeIn(words, member.suspendedAt, timeZone))
              : undefined
        }
        crumb={{ href: clientPath(client, 'members'), label: text('members.title') }}
      />
      <Section id="about" title={text('members.member')}>
        <Facts
          facts={[
            // Else the heading has it.
            ...(member.name === member.shownName
              ? []
              : [{ term: text('account.userName'), value: <bdi dir="ltr">{member.name}</bdi> }]),
            { term: text('members.role'), value: text(ROLE_LABELS[member.role]) },
            { term: text('members.signsInWith'), value: waysOf(words, member) },
            ...member.providers.map(({ name, confirmedAt }) => ({
              term: text('members.confirmed'),
              value: words.content('members.confirmedBy', {
                provider: isolated(name),
                ...agoIn(words, confirmedAt, timeZone),
              }),
            })),
            { term: text('members.joined'), value: <Time at={member.joinedAt} timeZone={timeZone} /> },
            { term: text('members.activeKeys'), value: String(member.keys) },
          ]}
        />
      </Section>
      {member.canLift && (
        <Section id="suspension" title={text('members.suspended')} hint={text('members.liftHint')}>
          <Form form={newForm()} action={`${path}/lift`} isKept={false}>
            <Actions>
              <Button kind="quiet">{text('members.lift')}</Button>
            </Actions>
          </Form>
        </Section>
      )}
      {member.suspendedAt === null && (
        <RoleSection form={form} action={path} isGiven={member.isRoleGiven}>
          {member.isLastOwner && <p>{text(isOneself ? 'members.youAreLast' : 'members.theyAreLast')}</p>}
        </RoleSection>
      )}
      {!isOneself && member.disabledAt === null && member.suspendedAt === null && (
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
export function RoleSection({
  form,
  action,
  isGiven = false,
  children,
}: PropsWithChildren<{ form: FormState; action: string; isGiven?: boolean }>) {
  const words = useWords();
  const { text } = words;
  if (isGiven) {
    return (
      <Section id="role" title={text('members.role')}>
        <p>{text('members.roleByProvider')}</p>
      </Section>
    );
  }
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

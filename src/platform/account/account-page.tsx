import type { ActiveSession, Device, Session } from '../../accounts/sessions/session.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { zoneOptions } from './zones.ts';

/** The page of a user's own account. */
export function AccountPage({
  session,
  sessions,
  timeZone,
  password,
}: {
  session: Session;
  sessions: readonly ActiveSession[];
  timeZone: FormState;
  password: FormState;
}) {
  return (
    <>
      <PageHeader
        title="Account"
        lead={
          <>
            You are signed in as <bdi>{session.userName}</bdi>.
          </>
        }
      />
      <Section id="time-zone" title="Time zone" hint="All pages show times in this time zone.">
        <Form form={timeZone} action="/platform/account/time-zone">
          <Select form={timeZone} name="tz" label="Zone" options={zoneOptions(session.timeZone)} />
          <Actions>
            <Button kind="quiet">Save time zone</Button>
          </Actions>
        </Form>
      </Section>
      <Section
        id="password"
        title="Password"
        hint="Changing your password signs you out everywhere else and revokes your tokens. API keys keep working."
      >
        <PasswordForm form={password} userName={session.userName} />
      </Section>
      <Section
        id="sessions"
        title="Sessions"
        hint="Browsers where you are signed in. A session expires after 12 hours without activity, and after 30 days at the latest."
      >
        <Table caption="Sessions" columns={columnsIn(session.timeZone)} rows={sessions} />
        {sessions.length > 1 && (
          <Actions>
            <ButtonLink href="/platform/account/sessions/others/end" confirms>
              Sign out everywhere else
            </ButtonLink>
          </Actions>
        )}
      </Section>
      <Section
        id="data"
        title="Your data"
        hint="All that is kept about you, as JSON: your workspaces, sign-ins, keys, invites and audit log entries."
      >
        <Actions>
          <ButtonLink href="/platform/account/export.json">Download your data</ButtonLink>
        </Actions>
      </Section>
      <Section id="deletion" title="Delete" hint="Deletes your account at once. This cannot be undone.">
        <Actions>
          <ButtonLink href="/platform/account/delete" kind="danger">
            Delete account
          </ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

function PasswordForm({ form, userName }: { form: FormState; userName: string }) {
  const shared = { form, type: 'password' } as const;
  return (
    <Form form={form} action="/platform/account/password">
      {/* For password managers, which want to know whose password it is. */}
      <input
        class="unseen"
        type="text"
        value={userName}
        autocomplete="username"
        aria-label="User name"
        readonly
        tabindex={-1}
      />
      <Field {...shared} name="current_password" label="Current password" autocomplete="current-password" />
      <Field
        {...shared}
        name="new_password"
        label="New password"
        autocomplete="new-password"
        hint="At least 8 characters. A phrase of several words works well."
      />
      <Field {...shared} name="new_password_again" label="Confirm new password" autocomplete="new-password" />
      <Actions>
        <Button>Change password</Button>
      </Actions>
    </Form>
  );
}

/** The name of a browser in lists. */
export function nameOfDevice({ browser, os }: Device): string {
  return [browser ?? 'Unknown browser', os].filter(Boolean).join(' on ');
}

function columnsIn(timeZone: string): readonly Column<ActiveSession>[] {
  return [
    {
      label: 'Browser',
      cell: (session) => (
        <>
          {nameOfDevice(session)} {session.isCurrent && <Badge kind="success">This browser</Badge>}
        </>
      ),
    },
    { label: 'Signed in', cell: ({ startedAt }) => <Time at={startedAt} timeZone={timeZone} /> },
    { label: 'Last active', cell: ({ seenAt }) => <Time at={seenAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (session) =>
        session.isCurrent ? null : (
          <ButtonLink
            href={`/platform/account/sessions/${session.id}/end`}
            label={`End the session of ${nameOfDevice(session)}`}
            small
            confirms
          >
            End
          </ButtonLink>
        ),
    },
  ];
}

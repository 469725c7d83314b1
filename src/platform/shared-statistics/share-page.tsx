import type { Share, Shared } from '../../links/shares/shares.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Checkbox } from '../kit/boxes.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';
import { pathOf, sharedPath, sharePath } from './paths.ts';

interface ShareProps {
  readonly client: OwnClient;
  readonly shared: Shared;
  readonly share: Share | null;
  readonly form: FormState;
  /** The origin of the service. */
  readonly origin: string;
}

/** The page about the public statistics page of a link, a campaign or the workspace. */
export function SharePage(props: ShareProps) {
  const { text } = useWords();
  const { client, shared } = props;
  return (
    <>
      <PageHeader
        title={text('shares.title')}
        lead={text('shares.lead')}
        crumb={{
          href: pathOf(client, shared),
          label: shared.kind === 'campaign' ? <bdi class="broken">{shared.name}</bdi> : text(LABELS[shared.kind]),
        }}
      />
      <ShareSection {...props} />
    </>
  );
}

const LABELS = { link: 'shares.link', client: 'nav.overview' } as const;

const HINTS = {
  link: 'shares.hintOfLink',
  campaign: 'shares.hintOfCampaign',
  client: 'shares.hintOfWorkspace',
} as const;

/** The page as a section, for a page of its link or its campaign. */
function ShareSection(props: ShareProps) {
  const { text } = useWords();
  const { client, shared, share, form } = props;
  return (
    <Section id="share" title={text('shares.title')} hint={text(HINTS[shared.kind])}>
      {share ? (
        <Shared {...props} share={share} />
      ) : (
        <Form form={form} action={sharePath(client, shared)}>
          <p>{text('shares.none')}</p>
          <PasswordField form={form} hint={text('shares.passwordHint')} optional />
          <Actions>
            <Button>
              <span data-copies>{text('shares.create')}</span>
            </Button>
          </Actions>
        </Form>
      )}
    </Section>
  );
}

function Shared({ client, shared, share, form, origin }: ShareProps & { readonly share: Share }) {
  const { text } = useWords();
  const { secret, hasPassword } = share;
  return (
    <>
      {secret === null ? (
        <Notice kind="warning">{text('shares.isHidden')}</Notice>
      ) : (
        <>
          <CopyField id="shared-address" label={text('shares.address')} value={`${origin}${sharedPath(secret)}`} wide />
          <Actions>
            <ButtonLink href={sharedPath(secret)}>{text('shares.open')}</ButtonLink>
          </Actions>
        </>
      )}
      <Form form={form} action={sharePath(client, shared, '/password')} isKept={false}>
        <p>{text(hasPassword ? 'shares.hasPassword' : 'shares.hasNoPassword')}</p>
        <PasswordField form={form} hint={text('shares.newPasswordHint')} optional={hasPassword} />
        {hasPassword && (
          <Checkbox name="remove" label={text('shares.removePassword')} checked={form.values['remove'] === 'on'} />
        )}
        <Actions>
          <Button kind="quiet">{text(hasPassword ? 'shares.changePassword' : 'shares.setPassword')}</Button>
        </Actions>
      </Form>
      <Actions>
        <ButtonLink href={sharePath(client, shared, '/revoke')} kind="danger" confirms>
          {text('shares.revokePage')}
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
      label={useWords().text('shares.password')}
      autocomplete="new-password"
      {...{ hint, optional }}
    />
  );
}

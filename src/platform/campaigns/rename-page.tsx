import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { Field, Hidden } from '../kit/form.tsx';
import { PageHeader } from '../kit/section.tsx';
import { WithSummary } from '../kit/summary.tsx';
import { countLinks } from '../links/link-counts.tsx';
import { useWords } from '../words.tsx';
import type { FoundCampaign } from './campaign-page.tsx';
import { campaignPath } from './paths.ts';

interface RenameProps {
  readonly client: OwnClient;
  readonly campaign: FoundCampaign;
}

/** The parameter by which the form says that it was sent, since a name that was left empty is in no address. */
export const ASKED = 'do';

/** Asks for the new name of a campaign. */
export function RenamePage({ client, campaign: { name }, form }: RenameProps & { readonly form: FormState }) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={text('campaigns.renameTitle')}
        crumb={{ href: campaignPath(client, name), label: <bdi class="broken">{name}</bdi> }}
      />
      <form class="form panel" method="get" action={campaignPath(client, name, '/rename')} data-asks novalidate>
        <WithSummary form={form}>
          <Field form={form} name="name" label={text('campaigns.newName')} value={name} autofocus />
          <Actions>
            <Button name={ASKED} value="continue">
              {text('campaigns.continue')}
            </Button>
            <ButtonLink href={campaignPath(client, name)}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </WithSummary>
      </form>
    </>
  );
}

/** Says what a new name changes, and asks for confirmation. */
export function ConfirmRename({
  client,
  campaign,
  other,
  name,
}: RenameProps & {
  /** The campaign that has the new name already, or null. */
  readonly other: FoundCampaign | null;
  readonly name: string;
}) {
  const words = useWords();
  const { text } = words;
  const former = campaign.name;
  const count = campaign.links;
  const links = countLinks(words, count);
  return (
    <ConfirmPage
      title={text(other ? 'campaigns.mergeThese' : 'campaigns.renameThis')}
      label={text(other ? 'campaigns.mergeLinks' : 'campaigns.renameLinks', { links })}
      back={campaignPath(client, former)}
      kind="primary"
      hidden={<Hidden name="name" value={name} />}
    >
      <p class="broken">{words.content('campaigns.renameEffect', { links, count, former, name })}</p>
      {other ? (
        <p class="broken">
          {words.content('campaigns.mergeEffect', { links: countLinks(words, other.links), former, name })}
        </p>
      ) : (
        <p class="broken">{text('campaigns.keepsClicks')}</p>
      )}
    </ConfirmPage>
  );
}

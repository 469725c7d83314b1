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
  return (
    <>
      <PageHeader
        title="Rename a campaign"
        crumb={{ href: campaignPath(client, name), label: <bdi class="broken">{name}</bdi> }}
      />
      <form class="form panel" method="get" action={campaignPath(client, name, '/rename')} data-asks novalidate>
        <WithSummary form={form}>
          <Field form={form} name="name" label="New name" value={name} autofocus />
          <Actions>
            <Button name={ASKED} value="continue">
              Continue
            </Button>
            <ButtonLink href={campaignPath(client, name)}>Cancel</ButtonLink>
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
  const former = <bdi>{campaign.name}</bdi>;
  const now = <bdi>{name}</bdi>;
  return (
    <ConfirmPage
      title={other ? 'Merge these campaigns?' : 'Rename this campaign?'}
      label={`${other ? 'Merge' : 'Rename'} ${countLinks(words, campaign.links)}`}
      back={campaignPath(client, campaign.name)}
      kind="primary"
      hidden={<Hidden name="name" value={name} />}
    >
      <p class="broken">
        {countLinks(words, campaign.links)} of “{former}” {campaign.links === 1 ? 'gets' : 'get'} the campaign “{now}”.
      </p>
      {other ? (
        <p class="broken">
          The campaign “{now}” exists already, with {countLinks(words, other.links)}: from now on the clicks of all
          these links count for it. Clicks that came before stay under “{former}”.
        </p>
      ) : (
        <p class="broken">Their clicks so far are shown under the new name too.</p>
      )}
    </ConfirmPage>
  );
}

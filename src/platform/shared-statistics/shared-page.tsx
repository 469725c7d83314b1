import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Field } from '../kit/form.tsx';
import { PageHeader } from '../kit/section.tsx';
import { WithSummary } from '../kit/summary.tsx';

/** The clicks on a link or a campaign, for visitors. */
export function SharedPage({
  statistics,
  name,
  title,
  shortUrl,
}: {
  statistics: ShownStatistics;
  /** The short link as people read it, or the name of the campaign. */
  name: string;
  title: string | null;
  /** Null for a campaign. */
  shortUrl: string | null;
}) {
  return (
    <>
      <PageHeader
        title={<bdi class="broken">{name}</bdi>}
        lead={title === null ? 'Public click statistics.' : <bdi class="broken">{title}</bdi>}
        actions={shortUrl !== null && <CopyButton text={shortUrl} label={`Copy ${name}`} />}
      />
      <ClickStatistics {...{ statistics }} client={null} empty={{ text: 'Clicks appear here within seconds.' }} />
    </>
  );
}

/** Asks a visitor for the password of a page. */
export function LockedPage({ form }: { form: FormState }) {
  return (
    <>
      <PageHeader
        title="Enter the password"
        lead="These statistics are protected. Ask the person who sent you the address for the password."
      />
      <form class="form panel" method="post" novalidate data-whole-page>
        <WithSummary form={form}>
          <Field form={form} name="password" type="password" label="Password" autocomplete="off" autofocus />
          <Actions>
            <Button>Continue</Button>
          </Actions>
        </WithSummary>
      </form>
    </>
  );
}

import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Field } from '../kit/form.tsx';
import { PageHeader } from '../kit/section.tsx';
import { WithSummary } from '../kit/summary.tsx';
import { useWords } from '../words.tsx';

/** The clicks on a link, a campaign or a workspace, for visitors. */
export function SharedPage({
  statistics,
  name,
  title,
  shortUrl,
}: {
  statistics: ShownStatistics;
  /** The short link as people read it, or the name of the campaign or of the workspace, if it has one. */
  name: string | null;
  title: string | null;
  /** Null for several links. */
  shortUrl: string | null;
}) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={name === null ? text('shares.clicksOnAll') : <bdi class="broken">{name}</bdi>}
        lead={title === null ? text('shares.publicLead') : <bdi class="broken">{title}</bdi>}
        actions={
          shortUrl !== null && <CopyButton text={shortUrl} label={text('kit.copyOf', { label: name ?? shortUrl })} />
        }
      />
      <ClickStatistics {...{ statistics }} client={null} empty={{ text: text('shares.noClicks') }} />
    </>
  );
}

/** Asks a visitor for the password of a page. */
export function LockedPage({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <>
      <PageHeader title={text('shares.enterPassword')} lead={text('shares.enterPasswordHint')} />
      <form class="form panel" method="post" novalidate data-whole-page>
        <WithSummary form={form}>
          <Field
            form={form}
            name="password"
            type="password"
            label={text('shares.password')}
            autocomplete="off"
            autofocus
          />
          <Actions>
            <Button>{text('shares.continue')}</Button>
          </Actions>
        </WithSummary>
      </form>
    </>
  );
}

import { MAX_LINKS_NOW } from '../../clicks/current-links.ts';
import type { Tag } from '../../links/tags/tags.ts';
import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { formatCount } from '../kit/numbers.ts';
import { PageHeader, Section } from '../kit/section.tsx';
import { countLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { Dot } from './dot.tsx';
import { linksOfTag, tagPath } from './paths.ts';
import { TagFields } from './tags-page.tsx';

/** One tag: the clicks on the links that have it now, its name and its colour. */
export function TagPage({
  client,
  tag,
  statistics,
  hasMore,
  form,
}: {
  client: OwnClient;
  tag: Tag;
  statistics: ShownStatistics;
  /** True if more links have it than the statistics count. */
  hasMore: boolean;
  form: FormState;
}) {
  const { id, name, colour, links } = tag;
  return (
    <>
      <PageHeader
        title={
          <>
            <Dot colour={colour} />
            <bdi class="broken">{name}</bdi>
          </>
        }
        lead={
          <>
            Clicks on the links that have this tag now: <a href={linksOfTag(client, name)}>{countLinks(links)}</a>
            {hasMore && `, of which the newest ${formatCount(MAX_LINKS_NOW)} are counted`}.
          </>
        }
        crumb={{ href: clientPath(client, 'tags'), label: 'Tags' }}
        actions={
          <ButtonLink href={tagPath(client, id, '/delete')} confirms>
            Delete
          </ButtonLink>
        }
      />
      <ClickStatistics
        {...{ statistics, client }}
        empty={
          links === 0
            ? {
                text: 'Select links in the list, and give them this tag. Their clicks appear here.',
                action: <ButtonLink href={clientPath(client, 'links')}>Select links</ButtonLink>,
              }
            : {
                text: 'Share the short links that have this tag. Clicks appear here within seconds.',
                action: <ButtonLink href={linksOfTag(client, name)}>Show links</ButtonLink>,
              }
        }
      />
      <Section id="tag" title="Tag" hint="All links that have the tag show its new name and colour at once.">
        <Form form={form} action={tagPath(client, id)}>
          <TagFields form={form} isNew={false} />
          <Actions>
            <Button kind="quiet">Save</Button>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

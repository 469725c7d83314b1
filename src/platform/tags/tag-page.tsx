import { MAX_LINKS_NOW } from '../../clicks/current-links.ts';
import type { Tag } from '../../links/tags/tags.ts';
import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { countLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
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
  const words = useWords();
  const { text } = words;
  const { id, name, colour, links } = tag;
  const counted = {
    links: countLinks(words, links),
    a: (inside: string[]) => <a href={linksOfTag(client, name)}>{inside}</a>,
  };
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
          hasMore
            ? words.content('tags.clicksOnNewest', { ...counted, most: MAX_LINKS_NOW })
            : words.content('tags.clicksOn', counted)
        }
        crumb={{ href: clientPath(client, 'tags'), label: text('tags.title') }}
        actions={
          <ButtonLink href={tagPath(client, id, '/delete')} confirms>
            {text('kit.delete')}
          </ButtonLink>
        }
      />
      <ClickStatistics
        {...{ statistics, client }}
        empty={
          links === 0
            ? {
                text: text('tags.selectHint'),
                action: <ButtonLink href={clientPath(client, 'links')}>{text('tags.select')}</ButtonLink>,
              }
            : {
                text: text('tags.shareHint'),
                action: <ButtonLink href={linksOfTag(client, name)}>{text('tags.show')}</ButtonLink>,
              }
        }
      />
      <Section id="tag" title={text('tags.tag')} hint={text('tags.changeHint')}>
        <Form form={form} action={tagPath(client, id)}>
          <TagFields form={form} isNew={false} />
          <Actions>
            <Button kind="quiet">{text('kit.save')}</Button>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

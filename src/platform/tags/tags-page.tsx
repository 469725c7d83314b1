import { MAX_TAG_CHARACTERS, TAG_COLOURS } from '../../links/tags/names.ts';
import type { Tag } from '../../links/tags/tags.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { CountedLinks, countLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';
import { Dot } from './dot.tsx';
import { linksOfTag, tagPath } from './paths.ts';

/** The name and the colour of a tag. */
export function TagFields({ form, isNew }: { form: FormState; isNew: boolean }) {
  const { text } = useWords();
  return (
    <>
      <Field
        form={form}
        name="name"
        label={text('tags.name')}
        hint={text('tags.nameHint', { most: MAX_TAG_CHARACTERS })}
      />
      <Select
        form={form}
        name="colour"
        label={text('tags.colour')}
        options={[
          ...(isNew ? [{ value: '', label: text('tags.byName') }] : []),
          ...TAG_COLOURS.map((colour) => ({ value: colour, label: text(`tags.${colour}`) })),
        ]}
        optional={isNew}
      />
    </>
  );
}

/** The tags of a workspace, and a form for another one. */
export function TagsPage({
  client,
  tags,
  form,
  next,
  first,
}: {
  client: OwnClient;
  tags: readonly Tag[];
  form: FormState;
  next: string | null;
  first: string | null;
}) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader title={text('tags.title')} lead={text('tags.lead')} />
      {tags.length === 0 && first === null ? (
        <EmptyState title={text('tags.none')}>{text('tags.noneHint')}</EmptyState>
      ) : (
        <div class="panel">
          <Table caption={text('tags.title')} columns={columnsOf(words, client)} rows={tags} />
        </div>
      )}
      <Pager next={next} first={first} />
      <Section id="new-tag" title={text('tags.new')} hint={text('tags.newHint')}>
        <Form form={form} action={clientPath(client, 'tags')}>
          <TagFields form={form} isNew />
          <Actions>
            <Button>{text('tags.create')}</Button>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

function columnsOf(words: PageWords, client: OwnClient): readonly Column<Tag>[] {
  const { text } = words;
  return [
    {
      label: text('tags.tag'),
      isWide: true,
      cell: ({ id, name, colour }) => (
        <a class="cut" href={tagPath(client, id)} title={name}>
          <Dot colour={colour} />
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: text('tags.links'),
      align: 'whole',
      cell: ({ name, links }) => (
        <CountedLinks
          links={links}
          href={linksOfTag(client, name)}
          label={text('tags.linksWith', { links: countLinks(words, links), name })}
        />
      ),
    },
    {
      label: text('kit.actions'),
      isActions: true,
      cell: ({ id, name }) => (
        <ButtonLink href={tagPath(client, id, '/delete')} label={text('tags.deleteName', { name })} small confirms>
          {text('kit.delete')}
        </ButtonLink>
      ),
    },
  ];
}

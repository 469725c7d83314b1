import { MAX_TAG_CHARACTERS, TAG_COLOURS } from '../../links/tags/names.ts';
import type { Tag } from '../../links/tags/tags.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { CountedLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { Dot } from './dot.tsx';
import { linksOfTag, tagPath } from './paths.ts';

/** The name and the colour of a tag. */
export function TagFields({ form, isNew }: { form: FormState; isNew: boolean }) {
  return (
    <>
      <Field form={form} name="name" label="Name" hint={`Up to ${MAX_TAG_CHARACTERS} characters without commas.`} />
      <Select
        form={form}
        name="colour"
        label="Colour"
        options={[
          ...(isNew ? [{ value: '', label: 'Chosen by the name' }] : []),
          ...TAG_COLOURS.map((colour) => ({
            value: colour,
            label: colour.charAt(0).toUpperCase() + colour.slice(1),
          })),
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
  return (
    <>
      <PageHeader title="Tags" lead="Words to group links by. A link can have several." />
      {tags.length === 0 && first === null ? (
        <EmptyState title="No tags yet">Create a tag here, or type a new name when you edit a link.</EmptyState>
      ) : (
        <div class="panel">
          <Table caption="Tags" columns={columnsOf(client)} rows={tags} />
        </div>
      )}
      <Pager next={next} first={first} />
      <Section id="new-tag" title="New tag" hint="The name must be unique. Upper and lower case count as the same.">
        <Form form={form} action={clientPath(client, 'tags')}>
          <TagFields form={form} isNew />
          <Actions>
            <Button>Create tag</Button>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

function columnsOf(client: OwnClient): readonly Column<Tag>[] {
  return [
    {
      label: 'Tag',
      isWide: true,
      cell: ({ id, name, colour }) => (
        <a class="cut" href={tagPath(client, id)} title={name}>
          <Dot colour={colour} />
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: 'Links',
      align: 'whole',
      cell: ({ name, links }) => (
        <CountedLinks links={links} href={linksOfTag(client, name)} having={`with the tag ${name}`} />
      ),
    },
    {
      label: 'Actions',
      isActions: true,
      cell: ({ id, name }) => (
        <ButtonLink href={tagPath(client, id, '/delete')} label={`Delete the tag ${name}`} small confirms>
          Delete
        </ButtonLink>
      ),
    },
  ];
}

import { MAX_TAG_CHARACTERS, TAG_COLOURS } from '../../links/tags/names.ts';
import type { Tag } from '../../links/tags/tags.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import type { Pager } from '../kit/table.tsx';
import { countLinks } from '../links/link-counts.tsx';
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
        autofocus={isNew}
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

/** The tags of a workspace. */
export function TagsPage({
  client,
  tags,
  pages,
}: {
  client: OwnClient;
  tags: readonly Tag[];
  pages: Parameters<typeof Pager>[0];
}) {
  const words = useWords();
  const { text } = words;
  return (
    <SettingsList
      title={text('tags.title')}
      lead={text('tags.lead')}
      action={{ href: tagPath(client, NEW), label: text('tags.create') }}
      settings={tags.map((tag) => tagSetting(words, client, tag))}
      empty={{ title: text('tags.none'), text: text('tags.noneHint') }}
      pages={pages}
    />
  );
}

/** The last part of the path of the form for another tag. */
export const NEW = 'new';

function tagSetting(words: PageWords, client: OwnClient, { id, name, colour, links }: Tag): Setting {
  const { text } = words;
  const counted = countLinks(words, links);
  return {
    href: tagPath(client, id),
    name: (
      <>
        <Dot colour={colour} />
        <bdi>{name}</bdi>
      </>
    ),
    title: name,
    facts: [
      <a href={linksOfTag(client, name)} aria-label={text('tags.linksWith', { links: counted, name })}>
        {counted}
      </a>,
    ],
    acts: [
      { icon: 'pencil', label: text('kit.rename'), href: `${tagPath(client, id)}#name` },
      { icon: 'trash-2', label: text('kit.delete'), href: tagPath(client, id, '/delete'), confirms: true },
    ],
  };
}

/** The page with the form for another tag. */
export function NewTagPage({ client, form }: { client: OwnClient; form: FormState }) {
  const { text } = useWords();
  const tags = clientPath(client, 'tags');
  return (
    <>
      <PageHeader title={text('tags.new')} crumb={{ href: tags, label: text('tags.title') }} />
      <Section id="tag" title={text('tags.tag')} hint={text('tags.newHint')}>
        <Form form={form} action={tagPath(client, NEW)}>
          <TagFields form={form} isNew />
          <Actions>
            <Button>{text('tags.create')}</Button>
            <ButtonLink href={tags}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

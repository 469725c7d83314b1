import type { Child } from 'hono/jsx';
import { fieldOf } from '../../../links/fields/table.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Field, Form, Hidden } from '../../kit/form.tsx';
import { UtmTemplates } from '../../utm-templates/apply.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { isUrl, NamedDestination } from '../destination.tsx';
import { isField, labelOf } from '../field-words.ts';
import { linkPath } from '../paths.ts';
import type { Becoming } from './becomes.tsx';
import { Composer, ComposerFoot, type Offered } from './composer.tsx';
import { LookupButton } from './lookup-button.tsx';
import { DeletedLink } from './new-live.tsx';
import { Options } from './options.tsx';

/** The form of a link's edit. */
export function EditPage({
  client,
  link,
  form,
  timeZone,
  offered,
  templates,
  becoming,
  others = [],
  deleted = null,
}: {
  client: OwnClient;
  link: ManagedLink;
  form: FormState;
  timeZone: string;
  offered: Offered;
  /** The UTM templates of the workspace. */
  templates: readonly Preset[];
  becoming: Becoming;
  /** The values of the link that differ from the form, by field, if another user has changed it meanwhile. */
  others?: readonly (readonly [name: string, now: string])[];
  /** The deleted link that has the slug of the form, by id. */
  deleted?: string | null;
}) {
  const words = useWords();
  const { text } = words;
  const path = linkPath(client, link.id);
  const action = `${path}/edit`;
  return (
    <Composer title={text('linkForm.edit')} lead={text('linkForm.editLead')} back={path} {...{ offered, becoming }}>
      <Form form={form} action={action} check={`${path}/check`} about={others.length > 0 && <Others others={others} />}>
        <DefaultButton />
        <Hidden name="revision" value={form.values['revision'] ?? String(link.revision)} />
        <Field
          form={form}
          name="url"
          type="url"
          label={text('linkForm.whereTo')}
          named={labelOf(words, 'url')}
          autofocus
        />
        <div class="duo">
          <Field
            form={form}
            name="slug"
            label={labelOf(words, 'slug')}
            hint={deleted === null ? text('linkForm.slugStays') : <DeletedLink href={linkPath(client, deleted)} />}
            spellcheck={false}
          />
          <div>
            <Field form={form} name="title" label={labelOf(words, 'title')} hint={text('linkForm.onlyYou')} optional />
            <LookupButton action={action} />
          </div>
        </div>
        <Options
          {...{ form, timeZone, action }}
          hasCustomDomain={link.customDomain !== null}
          stored={link}
          utm={{ fields: [], content: <UtmTemplates {...{ client, templates, action }} /> }}
        />
        <ComposerFoot>
          <ButtonLink href={path}>{text('kit.cancel')}</ButtonLink>
          <Button>{text('kit.save')}</Button>
        </ComposerFoot>
      </Form>
    </Composer>
  );
}

function Others({ others }: { others: readonly (readonly [name: string, now: string])[] }) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <h2>{text('linkForm.changedMeanwhile')}</h2>
      <p>{text('linkForm.valuesNow')}</p>
      <ul class="broken">
        {others.map(([name, now]) => (
          <li>
            {words.content('linkForm.valueNow', {
              field: isField(name) ? labelOf(words, name) : name,
              now,
              value: () => valueOf(words, name, now),
            })}
          </li>
        ))}
      </ul>
      <p>{text('linkForm.saveAgain')}</p>
    </>
  );
}

function valueOf({ text }: PageWords, name: string, now: string): Child {
  if (now === '') return <code>{text('linkForm.noValue')}</code>;
  if (isUrl(name)) return <NamedDestination href={now} />;
  return <code>{fieldOf(name)?.stored === 'instant' ? now.replace('T', ' ') : now}</code>;
}

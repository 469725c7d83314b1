import type { Child } from 'hono/jsx';
import type { Preset } from '../../../links/presets/presets.ts';
import { UTM_NAMES } from '../../../links/destinations/utm.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Field, Form, Select } from '../../kit/form.tsx';
import { clientPath } from '../../nav.ts';
import { UtmTemplates } from '../../utm-templates/apply.tsx';
import { useWords } from '../../words.tsx';
import { displayHost } from '../display-url.ts';
import { labelOf } from '../field-words.ts';
import type { Becoming } from './becomes.tsx';
import { Composer, ComposerFoot, type Offered } from './composer.tsx';
import { ANOTHER } from './fields.ts';
import { LookupButton } from './lookup-button.tsx';
import { SAME_DESTINATION, Same, SHORT_URL } from './new-live.tsx';
import { Options } from './options.tsx';
import type { SameDestination } from './same-destination.ts';
import { UtmFields } from './utm-fields.tsx';

interface NewLinkProps {
  readonly client: OwnClient;
  readonly form: FormState;
  readonly timeZone: string;
  readonly serviceHost: string;
  /** The short link as it will be, or null. */
  readonly shortUrl: Child;
  /** Custom domains that take new links. */
  readonly hosts: readonly string[];
  readonly offered: Offered;
  /** The UTM templates of the workspace. */
  readonly templates: readonly Preset[];
  /** The links that lead to the destination already. */
  readonly same: SameDestination | null;
  readonly becoming: Becoming;
  /** The sentence above the form of a copy. */
  readonly copied: Child;
}

/** The form of a new link: where it leads, its address and its title, and rows of options. */
export function NewLinkPage(props: NewLinkProps) {
  const { client, form, timeZone, hosts, offered, templates, becoming, copied } = props;
  const { text, content } = useWords();
  const path = clientPath(client, 'links');
  const action = `${path}/new`;
  return (
    <Composer title={text('linkForm.new')} lead={copied} back={path} {...{ offered, becoming }} isDialog>
      <Form form={form} action={action} check={`${path}/check`}>
        <DefaultButton />
        <Address {...props} action={action} />
        <Options
          {...{ form, timeZone, action }}
          hasCustomDomain={hosts.length > 0}
          stored={null}
          utm={{
            fields: UTM_NAMES,
            content: (
              <>
                <UtmTemplates {...{ client, templates, action }} />
                <UtmFields form={form} />
              </>
            ),
          }}
        />
        <ComposerFoot>
          <Checkbox name={ANOTHER} label={text('linkForm.another')} checked={form.values[ANOTHER] !== undefined} />
          <ButtonLink href={path} closes>
            {text('kit.cancel')}
          </ButtonLink>
          <Button>
            <span>
              {content('linkForm.create', {
                copies: (inside) => (
                  <span class="copies" data-copies>
                    {inside}
                  </span>
                ),
              })}
            </span>
          </Button>
        </ComposerFoot>
      </Form>
    </Composer>
  );
}

function Address({ form, serviceHost, shortUrl, hosts, same, action }: NewLinkProps & { action: string }) {
  const words = useWords();
  const { text } = words;
  const shared = { form, optional: true } as const;
  return (
    <>
      <div>
        <Field
          form={form}
          name="url"
          type="url"
          label={text('linkForm.whereTo')}
          named={labelOf(words, 'url')}
          placeholder="https://example.com/page"
          autofocus
        />
        <div id={SAME_DESTINATION} aria-live="polite">
          <Same same={same} />
        </div>
      </div>
      <div class="duo">
        <div>
          <div class="short-url">
            {hosts.length > 0 ? (
              <Select
                form={form}
                name="custom_domain"
                label={labelOf(words, 'custom_domain')}
                options={[
                  { value: '', label: displayHost(serviceHost) },
                  ...hosts.map((each) => ({ value: each, label: displayHost(each) })),
                ]}
              />
            ) : (
              <span class="host" dir="ltr">
                {displayHost(serviceHost)}/
              </span>
            )}
            <Field {...shared} name="slug" label={labelOf(words, 'slug')} spellcheck={false} />
          </div>
          <p class="hint" id={SHORT_URL}>
            {shortUrl}
          </p>
        </div>
        <div>
          <Field {...shared} name="title" label={labelOf(words, 'title')} hint={text('linkForm.onlyYou')} />
          <LookupButton action={action} />
        </div>
      </div>
    </>
  );
}

import type { Child } from 'hono/jsx';
import { linkFields } from '../../../links/fields/table.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import { UTM_NAMES } from '../../../links/destinations/utm.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Field, Form, Select } from '../../kit/form.tsx';
import { clientPath } from '../../nav.ts';
import { UtmTemplates } from '../../utm-templates/apply.tsx';
import { displayHost } from '../display-url.ts';
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
  const path = clientPath(client, 'links');
  const action = `${path}/new`;
  return (
    <Composer title="A new short link" lead={copied} back={path} {...{ offered, becoming }} isDialog>
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
          <Checkbox name={ANOTHER} label="Then another" checked={form.values[ANOTHER] !== undefined} />
          <ButtonLink href={path} closes>
            Cancel
          </ButtonLink>
          <Button>
            <span>
              Create
              <span class="copies" data-copies>
                {' and copy'}
              </span>
            </span>
          </Button>
        </ComposerFoot>
      </Form>
    </Composer>
  );
}

function Address({ form, serviceHost, shortUrl, hosts, same, action }: NewLinkProps & { action: string }) {
  const shared = { form, optional: true } as const;
  return (
    <>
      <div>
        <Field
          form={form}
          name="url"
          type="url"
          label="Where should it lead?"
          named={linkFields.url.label}
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
                label={linkFields.custom_domain.label}
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
            <Field {...shared} name="slug" label={linkFields.slug.label} spellcheck={false} />
          </div>
          <p class="hint" id={SHORT_URL}>
            {shortUrl}
          </p>
        </div>
        <div>
          <Field {...shared} name="title" label={linkFields.title.label} hint="Only you see it." />
          <LookupButton action={action} />
        </div>
      </div>
    </>
  );
}

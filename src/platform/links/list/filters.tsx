import type { PropsWithChildren } from 'hono/jsx';
import type { IconName } from '../../../design/icon-names.ts';
import { Icon } from '../../../design/icon.tsx';
import type { Sort } from '../../../links/list/clicked-link.ts';
import { LINK_STATES } from '../../../links/managed-link.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Field, Hidden, Select } from '../../kit/form.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Summary } from '../../kit/summary.tsx';
import { TAGS, Tags } from '../../tags/offered.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { CAMPAIGNS, Campaigns } from '../campaigns.tsx';
import { displayHost } from '../display-url.ts';
import { STATE_WORDS } from '../page/state.tsx';
import { OrderMenu } from './list-head.tsx';
import type { ListQuery } from './list-query.ts';

const stateOptions = ({ text }: PageWords) => [
  { value: '', label: text('linkList.notDeleted') },
  ...LINK_STATES.map((state) => ({ value: state, label: text(STATE_WORDS[state]) })),
];

const healthOptions = ({ text }: PageWords) => [
  { value: '', label: text('linkList.all') },
  { value: 'true', label: text('linkList.unhealthy') },
  { value: 'false', label: text('linkList.allOthers') },
];

interface FiltersProps {
  readonly form: FormState;
  /** The custom domains of the workspace. */
  readonly hosts: readonly string[];
  readonly campaigns: readonly string[];
  readonly tags: readonly ColouredTag[];
  /** The path of the list. */
  readonly path: string;
  readonly query: ListQuery;
  /** The order that the list has. */
  readonly sort: Sort;
}

/** One line above a list: what is searched, each filter behind its name, the order, and a new link. */
export function Filters({ form, hosts, campaigns, tags, path, query, sort }: FiltersProps) {
  const words = useWords();
  const { text } = words;
  const shared = { form, optional: true } as const;
  // These have no field beside which their faults could be shown.
  const complaint = form.complaint ?? ['cursor', 'sort', 'limit'].map((name) => form.faults[name]).find(Boolean);
  return (
    <form class="filters for-screen" method="get" action={path} role="search" data-live>
      {complaint && <Summary form={{ ...form, faults: {}, complaint }} />}
      <div class="search">
        <Icon name="search" />
        <Field
          form={form}
          name="q"
          type="search"
          label={text('linkList.search')}
          placeholder={text('linkList.searched')}
          optional
        />
        <DefaultButton />
      </div>
      {['sort', 'limit'].map((name) => form.values[name] && <Hidden name={name} value={form.values[name]} />)}
      <Filter {...{ form }} icon="megaphone" label={text('linkForm.campaignName')} names={['campaign_name']}>
        <Field {...shared} name="campaign_name" label={text('linkForm.campaignName')} list={CAMPAIGNS} />
        <Campaigns names={campaigns} />
      </Filter>
      <Filter {...{ form }} icon="tag" label={text('linkList.tag')} names={['tag']}>
        <Field {...shared} name="tag" label={text('linkList.tag')} list={TAGS} />
        <Tags tags={tags} />
      </Filter>
      {hosts.length > 0 && (
        <Filter {...{ form }} icon="globe" label={text('linkForm.customDomain')} names={['custom_domain']}>
          <Select
            {...shared}
            name="custom_domain"
            label={text('linkForm.customDomain')}
            options={[
              { value: '', label: text('linkList.all') },
              ...hosts.map((host) => ({ value: host, label: displayHost(host) })),
            ]}
          />
        </Filter>
      )}
      <Filter
        {...{ form }}
        icon="list-filter"
        label={text('linkList.moreFilters')}
        names={['state', 'unhealthy', 'url', 'sec_id', 'external_id']}
      >
        <Select {...shared} name="state" label={text('linkList.status')} options={stateOptions(words)} />
        <Select {...shared} name="unhealthy" label={text('linkList.health')} options={healthOptions(words)} />
        <Field
          {...shared}
          name="url"
          type="url"
          label={text('linkList.destinationIs')}
          placeholder="https://example.com/page"
          code
        />
        <fieldset class="group">
          <legend>{text('linkPage.developers')}</legend>
          <Field {...shared} name="sec_id" label={text('linkForm.secId')} code />
          <Field {...shared} name="external_id" label={text('linkForm.externalId')} code />
        </fieldset>
      </Filter>
      <OrderMenu {...{ path, query, sort }} />
      <ButtonLink href={`${path}/new`} kind="primary">
        <Icon name="plus" />
        {text('kit.createLink')}
        <kbd aria-hidden="true">C</kbd>
      </ButtonLink>
    </form>
  );
}

/** A filter behind its name, open while one of its fields has a fault. */
function Filter({
  form,
  icon,
  label,
  names,
  children,
}: PropsWithChildren<{
  form: FormState;
  icon: IconName;
  label: string;
  /** The names of its fields. */
  names: readonly string[];
}>) {
  const isOn = names.some((name) => (form.values[name] ?? '') !== '');
  return (
    <Menu
      kind={isOn ? 'filter on' : 'filter'}
      open={names.some((name) => form.faults[name])}
      before={<Icon name={icon} />}
      summary={label}
    >
      <div class="filter-fields">
        {children}
        <Button kind="quiet" small>
          {useWords().text('linkList.apply')}
        </Button>
      </div>
    </Menu>
  );
}

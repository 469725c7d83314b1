import type { PropsWithChildren } from 'hono/jsx';
import type { IconName } from '../../../design/icon-names.ts';
import { Icon } from '../../../design/icon.tsx';
import { SEARCHED_NAMES } from '../../../links/fields/content.ts';
import { linkFields } from '../../../links/fields/table.ts';
import type { Sort } from '../../../links/list/clicked-link.ts';
import { LINK_STATES } from '../../../links/managed-link.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink, DefaultButton } from '../../kit/button.tsx';
import { Field, Hidden, Select } from '../../kit/form.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Summary } from '../../kit/summary.tsx';
import { TAGS, Tags } from '../../tags/offered.tsx';
import { CAMPAIGNS, Campaigns } from '../campaigns.tsx';
import { displayHost } from '../display-url.ts';
import { OrderMenu } from './list-head.tsx';
import { FILTER_LABELS, type ListQuery } from './list-query.ts';

/** The fields that `q` searches, such as "Destination, slug or title". */
const SEARCHED = [linkFields.url, linkFields.slug, ...SEARCHED_NAMES.map((name) => linkFields[name])]
  .map(({ label }, index) => (index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1)))
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

const STATE_OPTIONS = [
  { value: '', label: 'All except deleted' },
  ...LINK_STATES.map((state) => ({ value: state, label: state.charAt(0).toUpperCase() + state.slice(1) })),
];

const HEALTH_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'true', label: 'Unhealthy' },
  { value: 'false', label: 'All others' },
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
  const shared = { form, optional: true } as const;
  // These have no field beside which their faults could be shown.
  const complaint = form.complaint ?? ['cursor', 'sort', 'limit'].map((name) => form.faults[name]).find(Boolean);
  return (
    <form class="filters" method="get" action={path} role="search" data-live>
      {complaint && <Summary form={{ ...form, faults: {}, complaint }} />}
      <div class="search">
        <Icon name="search" />
        <Field form={form} name="q" type="search" label="Search" placeholder={SEARCHED} optional />
        <DefaultButton />
      </div>
      {['sort', 'limit'].map((name) => form.values[name] && <Hidden name={name} value={form.values[name]} />)}
      <Filter {...{ form }} icon="megaphone" label="Campaign" names={['campaign_name']}>
        <Field {...shared} name="campaign_name" label="Campaign" list={CAMPAIGNS} />
        <Campaigns names={campaigns} />
      </Filter>
      <Filter {...{ form }} icon="tag" label="Tag" names={['tag']}>
        <Field {...shared} name="tag" label="Tag" list={TAGS} />
        <Tags tags={tags} />
      </Filter>
      {hosts.length > 0 && (
        <Filter {...{ form }} icon="globe" label="Domain" names={['custom_domain']}>
          <Select
            {...shared}
            name="custom_domain"
            label="Domain"
            options={[{ value: '', label: 'All' }, ...hosts.map((host) => ({ value: host, label: displayHost(host) }))]}
          />
        </Filter>
      )}
      <Filter
        {...{ form }}
        icon="list-filter"
        label="More filters"
        names={['state', 'unhealthy', 'url', 'sec_id', 'external_id']}
      >
        <Select {...shared} name="state" label="Status" options={STATE_OPTIONS} />
        <Select {...shared} name="unhealthy" label={FILTER_LABELS.unhealthy} options={HEALTH_OPTIONS} />
        <Field {...shared} name="url" type="url" label="Destination is" placeholder="https://example.com/page" code />
        <Field {...shared} name="sec_id" label="Secondary ID" code />
        <Field {...shared} name="external_id" label={linkFields.external_id.label} code />
      </Filter>
      <OrderMenu {...{ path, query, sort }} />
      <ButtonLink href={`${path}/new`} kind="primary">
        <Icon name="plus" />
        Create link
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
          Apply
        </Button>
      </div>
    </Menu>
  );
}

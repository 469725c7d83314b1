import type { Domain } from '../../../domains/domain.ts';
import { SHARED } from '../../../links/import/formats/hosts.ts';
import { listOf } from '../../../links/import/file-line.ts';
import type { Site } from '../../../network/hosts.ts';
import { newForm } from '../../forms/form.ts';
import { Hidden, Select } from '../../kit/form.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { displayHost } from '../display-url.ts';
import { MAX_HOSTS_OF_FORM } from './import-form.ts';
import type { Placed } from './import-places.ts';
import { keepLabel, WITHOUT_HOST } from './import-words.ts';

/** The hosts that the file names, each with where its links go. */
export function HostSelects({
  hosts,
  placed,
  hasLinksWithout,
  needsHost,
  domains,
  site,
  values,
}: {
  hosts: readonly { readonly host: string; readonly rows: number }[];
  placed: readonly Placed[];
  /** True if there are links whose host the file does not name. */
  hasLinksWithout: boolean;
  /** As `LinkFile.needsHost`. */
  needsHost: boolean;
  domains: readonly Domain[];
  site: Site;
  /** The choices made before. */
  values: Readonly<Record<string, string>>;
}) {
  const isPending = (host: string) => domains.some((domain) => domain.host === host && domain.status === 'pending');
  const nameOf = (host: string) => `${displayHost(host)}/…${isPending(host) ? ' (pending)' : ''}`;
  const own = domains
    .filter(({ status }) => status !== 'lost')
    .map(({ host }) => ({ value: host, label: nameOf(host) }));
  const shared = `${sharedHost(site)}/…`;
  const places = [{ value: SHARED, label: shared }, ...own];
  const without = needsHost ? [{ value: '', label: 'Not chosen' }, ...places] : [{ value: '', label: shared }, ...own];
  const form = newForm();
  const isPlaced = (host: string) => placed.some((each) => each.host === host);
  return (
    <>
      {hosts.slice(0, MAX_HOSTS_OF_FORM).map(({ host, rows }, index) => (
        <div>
          <Hidden name={`host_${index}`} value={host} />
          <Select
            form={form}
            name={`place_${index}`}
            label={keepLabel(host)}
            value={values[host] ?? ''}
            options={
              // Such a domain cannot be kept.
              isPlaced(host) ? places : [{ value: '', label: nameOf(host) }, ...withoutHost(places, host)]
            }
            hint={rows === 1 ? '1 link, with the same slug.' : `${formatCount(rows)} links, with the same slugs.`}
          />
        </div>
      ))}
      {hasLinksWithout && (
        <Select form={form} name="place" label={WITHOUT_HOST} value={values[''] ?? ''} options={without} />
      )}
      <WhyPlaced {...{ placed, site }} />
      {hosts.length > placed.length && (
        <p class="quiet">
          Links can keep a domain of yours. If it is not a domain of this workspace yet, an import by an owner adds it,
          and its links wait until it is verified.
        </p>
      )}
    </>
  );
}

/** The reasons why links do not keep their domains. */
function WhyPlaced({ placed, site }: { placed: readonly Placed[]; site: Site }) {
  const namesOf = (reason: Placed['reason']) =>
    placed.flatMap((each) => (each.reason === reason ? [displayHost(each.host)] : []));
  const [shared, unknown, invalid] = [namesOf('shared'), namesOf('owners'), namesOf('invalid')];
  return (
    <>
      {shared.length > 0 && (
        <p>
          {listOf(shared)} links cannot keep their domain, since all customers of a service share it. They get the same
          slugs on {sharedHost(site)} unless you choose another domain here.
        </p>
      )}
      {unknown.length > 0 && (
        <p>
          {listOf(unknown)} links cannot keep their domain, since only an owner can add it. Ask an owner to add it or to
          import the file, or import the links with the same slugs on {sharedHost(site)}.
        </p>
      )}
      {invalid.length > 0 && (
        <p>
          {listOf(invalid)} links cannot keep their address, since it is not a public domain. They get the same slugs on{' '}
          {sharedHost(site)} unless you choose another domain here.
        </p>
      )}
    </>
  );
}

const withoutHost = <Place extends { readonly value: string }>(places: readonly Place[], host: string) =>
  places.filter(({ value }) => value !== host);

const sharedHost = ({ publicUrl, requestUrl }: Site): string => displayHost((publicUrl ?? requestUrl).host);

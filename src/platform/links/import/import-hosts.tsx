import type { Domain } from '../../../domains/domain.ts';
import { SHARED } from '../../../links/import/formats/hosts.ts';
import type { Site } from '../../../network/hosts.ts';
import { newForm } from '../../forms/form.ts';
import { Hidden, Select } from '../../kit/form.tsx';
import { useWords } from '../../words.tsx';
import { displayHost } from '../display-url.ts';
import { MAX_HOSTS_OF_FORM } from './import-form.ts';
import type { Placed } from './import-places.ts';

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
  const { text } = useWords();
  const isPending = (host: string) => domains.some((domain) => domain.host === host && domain.status === 'pending');
  const nameOf = (host: string) =>
    isPending(host) ? text('imports.pendingHost', { host: displayHost(host) }) : `${displayHost(host)}/…`;
  const own = domains
    .filter(({ status }) => status !== 'lost')
    .map(({ host }) => ({ value: host, label: nameOf(host) }));
  const shared = `${sharedHost(site)}/…`;
  const places = [{ value: SHARED, label: shared }, ...own];
  const without = needsHost
    ? [{ value: '', label: text('imports.notChosen') }, ...places]
    : [{ value: '', label: shared }, ...own];
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
            label={text('imports.keepLinks', { host: displayHost(host) })}
            value={values[host] ?? ''}
            options={
              // Such a domain cannot be kept.
              isPlaced(host) ? places : [{ value: '', label: nameOf(host) }, ...withoutHost(places, host)]
            }
            hint={text('imports.keepsSlugs', { links: rows })}
          />
        </div>
      ))}
      {hasLinksWithout && (
        <Select
          form={form}
          name="place"
          label={text('imports.withoutHost')}
          value={values[''] ?? ''}
          options={without}
        />
      )}
      <WhyPlaced {...{ placed, site }} />
      {hosts.length > placed.length && <p class="quiet">{text('imports.keepHint')}</p>}
    </>
  );
}

/** The reasons why links do not keep their domains. */
function WhyPlaced({ placed, site }: { placed: readonly Placed[]; site: Site }) {
  const { text, list } = useWords();
  const shared = sharedHost(site);
  return (
    <>
      {REASONS.map(([reason, key]) => {
        const hosts = placed.flatMap((each) => (each.reason === reason ? [displayHost(each.host)] : []));
        return hosts.length > 0 && <p>{text(key, { hosts: list(hosts), shared })}</p>;
      })}
    </>
  );
}

const REASONS = [
  ['shared', 'imports.sharedHosts'],
  ['owners', 'imports.unknownHosts'],
  ['invalid', 'imports.invalidHosts'],
] as const satisfies readonly (readonly [Placed['reason'], string])[];

const withoutHost = <Place extends { readonly value: string }>(places: readonly Place[], host: string) =>
  places.filter(({ value }) => value !== host);

const sharedHost = ({ publicUrl, requestUrl }: Site): string => displayHost((publicUrl ?? requestUrl).host);

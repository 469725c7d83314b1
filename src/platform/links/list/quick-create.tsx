import { useContext } from 'hono/jsx';
import { linkFields } from '../../../links/fields/table.ts';
import { Button } from '../../kit/button.tsx';
import { Hidden } from '../../kit/form.tsx';
import { ViewerId } from '../../kit/viewer.ts';
import { TYPED_BY } from '../../forms/resume-form.ts';
import { displayHost } from '../display-url.ts';

/** The fields of the line, which the whole form takes over from its address. */
export const QUICK_NAMES = ['url', 'custom_domain', 'slug'] as const;

/**
 * Creates a link in one line. Its other button leads to the whole form with what was typed, and so does a refusal.
 *
 * @param path the path of the list of links
 */
export function QuickCreate({
  path,
  serviceHost,
  hosts,
}: {
  path: string;
  serviceHost: string;
  /** Custom domains that take new links. */
  hosts: readonly string[];
}) {
  const viewerId = useContext(ViewerId);
  return (
    <form class="quick" method="post" action={path} aria-label="Create a link" novalidate>
      {viewerId !== null && <Hidden name={TYPED_BY} value={viewerId} />}
      <input
        class="code"
        name="url"
        type="url"
        aria-label={linkFields.url.label}
        placeholder="Paste a long URL"
        autocapitalize="none"
        spellcheck={false}
        required
      />
      {hosts.length > 0 && (
        <select name="custom_domain" aria-label={linkFields.custom_domain.label}>
          <option value="">{displayHost(serviceHost)}</option>
          {hosts.map((host) => (
            <option value={host}>{displayHost(host)}</option>
          ))}
        </select>
      )}
      <input
        class="code"
        name="slug"
        aria-label={linkFields.slug.label}
        placeholder="Slug, optional"
        autocapitalize="none"
        spellcheck={false}
      />
      <Button>Create</Button>
      <button type="submit" class="button quiet" formaction={`${path}/new`} formmethod="get">
        More options
      </button>
    </form>
  );
}

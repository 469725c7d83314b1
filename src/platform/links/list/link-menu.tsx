import type { ManagedLink } from '../../../links/managed-link.ts';
import type { OwnClient } from '../../env.ts';
import { RowMenu } from '../../kit/row-menu.tsx';
import { clientPath } from '../../nav.ts';
import { linkPath } from '../paths.ts';
import type { ListQuery } from './list-query.ts';

interface LinkMenuProps {
  readonly client: OwnClient;
  readonly link: Pick<ManagedLink, 'id' | 'disabled'>;
  /** The short link as people read it, for screen readers. */
  readonly name: string;
  /** The query of the list, to which an action leads back. */
  readonly query: ListQuery;
}

/** The menu of a link in the list. */
export function LinkMenu({ client, link, name, query }: LinkMenuProps) {
  const href = linkPath(client, link.id);
  const back = new URLSearchParams(query).toString();
  const chosen = (action: string) =>
    `${clientPath(client, 'links/selected')}?${new URLSearchParams({ id: link.id, do: action, back }).toString()}`;
  return (
    <RowMenu
      name={name}
      acts={[
        { icon: 'pencil', label: 'Edit', href: `${href}/edit` },
        { icon: 'qr-code', label: 'QR code', href: `${href}/qr` },
        { icon: 'plus', label: 'Duplicate', href: `${clientPath(client, 'links/new')}?from=${link.id}` },
        { icon: 'tag', label: 'Tag', href: chosen('tag'), confirms: true },
        { icon: 'share-2', label: 'Share statistics', href: `${href}/share` },
        link.disabled
          ? { icon: 'circle-check', label: 'Enable', href: chosen('enable'), confirms: true }
          : { icon: 'ban', label: 'Disable', href: chosen('disable'), confirms: true },
        { icon: 'trash-2', label: 'Delete', href: chosen('delete'), confirms: true },
      ]}
    />
  );
}

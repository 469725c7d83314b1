import type { ManagedLink } from '../../../links/managed-link.ts';
import type { OwnClient } from '../../env.ts';
import { RowMenu } from '../../kit/row-menu.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { linkPath } from '../paths.ts';
import type { ListQuery } from './list-query.ts';

interface LinkMenuProps {
  readonly client: OwnClient;
  readonly link: Pick<ManagedLink, 'id' | 'disabled'>;
  readonly shortUrl: string;
  /** The short link as people read it, for screen readers. */
  readonly name: string;
  /** The query of the list, to which an action leads back. */
  readonly query: ListQuery;
}

/** The menu of a link in the list. */
export function LinkMenu({ client, link, shortUrl, name, query }: LinkMenuProps) {
  const { text } = useWords();
  const href = linkPath(client, link.id);
  const back = new URLSearchParams(query).toString();
  const chosen = (action: string) =>
    `${clientPath(client, 'links/selected')}?${new URLSearchParams({ id: link.id, do: action, back }).toString()}`;
  return (
    <RowMenu
      name={name}
      acts={[
        { icon: 'copy', label: text('kit.copy'), copies: shortUrl },
        { icon: 'pencil', label: text('kit.edit'), href: `${href}/edit` },
        { icon: 'qr-code', label: text('linkList.qr'), href: `${href}/qr` },
        { icon: 'plus', label: text('linkList.duplicate'), href: `${clientPath(client, 'links/new')}?from=${link.id}` },
        { icon: 'tag', label: text('linkList.addTag'), href: chosen('tag'), confirms: true },
        { icon: 'share-2', label: text('linkList.share'), href: `${href}/share` },
        link.disabled
          ? { icon: 'circle-check', label: text('linkList.enable'), href: chosen('enable'), confirms: true }
          : { icon: 'ban', label: text('linkList.disable'), href: chosen('disable'), confirms: true },
        { icon: 'trash-2', label: text('kit.delete'), href: chosen('delete'), confirms: true },
      ]}
    />
  );
}

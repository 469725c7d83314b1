import { Icon } from '../../design/icon.tsx';
import type { OwnClient } from '../env.ts';
import { useWords, type PlainKey } from '../words.tsx';
import { clientPath, pagesFor, type NavSection } from '../nav.ts';

/** The actions that begin from any page, by the paths of their forms. */
const ACTIONS: readonly { readonly path: string; readonly label: PlainKey; readonly ownersOnly?: true }[] = [
  { path: 'links/new', label: 'kit.createLink' },
  { path: 'links/files', label: 'kit.importOrExport' },
  { path: 'domains/new', label: 'kit.addDomain', ownersOnly: true },
  { path: 'links/utm-templates/new', label: 'kit.createTemplate' },
  { path: 'keys/new', label: 'kit.createKey' },
  { path: 'members/invite', label: 'kit.inviteMember', ownersOnly: true },
  { path: 'webhooks/new', label: 'kit.createWebhook', ownersOnly: true },
  { path: 'live', label: 'kit.live' },
];

/** The button that opens the finder where scripts run, and the pages and actions that it finds. */
export function Finder({ navigation, client }: { navigation: readonly NavSection[]; client: OwnClient }) {
  const { text } = useWords();
  const isOpen = ({ ownersOnly = false }: { ownersOnly?: boolean }) => !ownersOnly || client.role === 'owner';
  return (
    <>
      <button type="button" class="find-button" data-find hidden>
        <Icon name="search" />
        {text('kit.find')}
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <template data-find={clientPath(client, 'links')}>
        {ACTIONS.filter(isOpen).map(({ path, label }) => (
          <a href={clientPath(client, path)}>{text(label)}</a>
        ))}
        {pagesFor(navigation, client).map(({ path, label, section }) => (
          <a href={clientPath(client, path)} data-note={section === label ? undefined : text(section)}>
            {text(label)}
          </a>
        ))}
        <a href="/platform/account">{text('shell.account')}</a>
        <a href="/docs">{text('kit.docs')}</a>
      </template>
    </>
  );
}

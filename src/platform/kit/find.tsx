import { Icon } from '../../design/icon.tsx';
import type { OwnClient } from '../env.ts';
import { clientPath, pagesFor, type NavSection } from '../nav.ts';

/** The actions that begin from any page, by the paths of their forms. */
const ACTIONS: readonly { readonly path: string; readonly label: string; readonly ownersOnly?: true }[] = [
  { path: 'links/new', label: 'Create link' },
  { path: 'links/files', label: 'Import or export' },
  { path: 'domains/new', label: 'Add domain', ownersOnly: true },
  { path: 'links/utm-templates/new', label: 'Create UTM template' },
  { path: 'keys/new', label: 'Create API key' },
  { path: 'members/invite', label: 'Invite member', ownersOnly: true },
  { path: 'webhooks/new', label: 'Create webhook', ownersOnly: true },
  { path: 'live', label: 'Live' },
];

/** The button that opens the finder where scripts run, and the pages and actions that it finds. */
export function Finder({ navigation, client }: { navigation: readonly NavSection[]; client: OwnClient }) {
  const isOpen = ({ ownersOnly = false }: { ownersOnly?: boolean }) => !ownersOnly || client.role === 'owner';
  return (
    <>
      <button type="button" class="find-button" data-find hidden>
        <Icon name="search" />
        Find or do
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <template data-find={clientPath(client, 'links')}>
        {ACTIONS.filter(isOpen).map(({ path, label }) => (
          <a href={clientPath(client, path)}>{label}</a>
        ))}
        {pagesFor(navigation, client).map(({ path, label, section }) => (
          <a href={clientPath(client, path)} data-note={section === label ? undefined : section}>
            {label}
          </a>
        ))}
        <a href="/platform/account">Account</a>
        <a href="/docs">Docs</a>
      </template>
    </>
  );
}

import type { Key } from '../../accounts/keys/keys.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import { PageHeader } from '../kit/section.tsx';
import { SettingRows } from '../kit/settings-list.tsx';
import { clientPath } from '../nav.ts';
import { keySetting } from './keys-page.tsx';

/** The keys whose secrets former members still know, with what to do about each. */
export function AdoptedPage({ keys, client, session }: { keys: readonly Key[]; client: OwnClient; session: Session }) {
  return (
    <>
      <PageHeader
        title="Keys of former members"
        lead="These keys were taken over from members who have been removed, and who still know the secrets. Roll each key, and end its previous secret at once, or as soon as your programs have the new one."
        crumb={{ href: clientPath(client, 'keys'), label: 'API keys' }}
      />
      {keys.length === 0 ? (
        <p class="quiet">No former member knows the secret of a key.</p>
      ) : (
        <SettingRows label="Keys of former members" settings={keys.map((key) => keySetting(key, client, session))} />
      )}
    </>
  );
}

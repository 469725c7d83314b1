import type { Key } from '../../accounts/keys/keys.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import { PageHeader } from '../kit/section.tsx';
import { SettingRows } from '../kit/settings-list.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { keySetting } from './keys-page.tsx';

/** The keys whose secrets former members still know, with what to do about each. */
export function AdoptedPage({ keys, client, session }: { keys: readonly Key[]; client: OwnClient; session: Session }) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader
        title={text('keys.adopted')}
        lead={text('keys.adoptedLead')}
        crumb={{ href: clientPath(client, 'keys'), label: text('keys.title') }}
      />
      {keys.length === 0 ? (
        <p class="quiet">{text('keys.noAdopted')}</p>
      ) : (
        <SettingRows
          label={text('keys.adopted')}
          settings={keys.map((key) => keySetting(words, key, client, session))}
        />
      )}
    </>
  );
}

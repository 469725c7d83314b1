import type { Invite } from '../../accounts/invites/invites.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import { agoIn } from '../kit/relative-time.tsx';
import type { Setting } from '../kit/settings-list.tsx';
import { timeIn } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { personName } from '../person-name.ts';
import type { PageWords } from '../words.tsx';

/** An open invite in the list. */
export function inviteSetting(
  words: PageWords,
  { id, role, createdAt, expiresAt, ...invite }: Invite,
  client: OwnClient,
  session: Session,
): Setting {
  const { text, content } = words;
  const createdBy = personName(words, invite.createdBy, invite.given);
  return {
    name: text(role === 'owner' ? 'members.forOwner' : 'members.forMember'),
    title: text('members.inviteBy', { name: isolated(createdBy) }),
    facts: [
      content('kit.expiresAt', timeIn(words, expiresAt, session.timeZone)),
      content('kit.createdBy', { createdBy, ...agoIn(words, createdAt, session.timeZone) }),
    ],
    acts: [
      {
        icon: 'ban',
        label: text('kit.revoke'),
        href: clientPath(client, `members/invites/${id}/revoke`),
        confirms: true,
      },
    ],
  };
}

import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { renewRecoveryCodes } from '../../../src/accounts/factors/factors.ts';
import { addMember } from '../../../src/accounts/operator.ts';
import { usePasskeysAsFactor } from '../../../src/accounts/passkeys/passkey-factor.ts';
import { removePasskey, renamePasskey } from '../../../src/accounts/passkeys/passkeys.ts';
import {
  endOtherSessions,
  endSession,
  findSession,
  listSessions,
  revokeSession,
  type Session,
} from '../../../src/accounts/sessions/session.ts';
import { listSignIns } from '../../../src/accounts/sessions/sign-in-history.ts';
import { readPage } from '../../../src/input/pagination.ts';
import { setLanguage, setTimeZone } from '../../../src/accounts/users/own-account.ts';
import { exportOwnData } from '../../../src/accounts/users/own-data.ts';
import { seedPasskey } from '../../support/passkeys.ts';
import { db, rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { seedSession } from '../../support/sessions.ts';

let user: Tenant;
let other: string;
let limited: { readonly session: Session; readonly value: string };

const refused = (code: string) => expect.objectContaining({ code });
const accountOf = async () => [
  (await rowsOf('users')).find(({ id }) => id === user.userId),
  (await rowsOf('passkeys')).filter((row) => row['user_id'] === user.userId),
  (await rowsOf('recovery_codes')).filter((row) => row['user_id'] === user.userId),
];

beforeEach(async () => {
  const [seeded, workspace] = [await seedPasskey(), await seedTenant()];
  user = seeded.user;
  await addMember(db, user.userName, workspace.clientId);
  other = (await seedSession(user)).value;
  const { value, session } = await seedSession(user);
  await env.DB.prepare('UPDATE token_families SET client_id = ? WHERE id = ?')
    .bind(workspace.clientId, session.credential.familyId)
    .run();
  limited = { value, session: (await findSession(db, value)) ?? session };
});

describe('a session that is limited to one workspace', () => {
  it('a limited session sees its own workspace, and of sessions and sign-ins only itself', async () => {
    expect(limited.session.clients).toHaveLength(1);
    expect(await listSessions(db, limited.session)).toMatchObject([{ isCurrent: true }]);
    expect(await listSignIns(db, limited.session, readPage({}, { limit: 100 }))).toEqual({ signIns: [], cursor: null });
    await expect(exportOwnData(db, limited.session)).rejects.toEqual(refused('invalid_credential'));
  });

  it('a limited session ends itself, and no other one', async () => {
    const theirs = await findSession(db, other);
    await revokeSession(db, limited.session, theirs?.credential.familyId ?? '');
    await endOtherSessions(db, limited.session);
    expect(await findSession(db, other)).not.toBeNull();
    await endSession(db, limited.session);
    expect(await findSession(db, limited.value)).toBeNull();
  });

  it('a limited session changes nothing of the account', async () => {
    const before = await accountOf();
    const [passkey] = before[1] as { id: string }[];
    const tools = { db, keys: [], secrets: [], address: '', limit: async () => true };
    for (const change of [
      () => setTimeZone(db, limited.session, 'Europe/Paris'),
      () => setLanguage(db, limited.session, 'fr'),
      () => renamePasskey(db, limited.session, passkey?.id ?? '', 'mine'),
      () => removePasskey(db, limited.session, passkey?.id ?? ''),
      () => usePasskeysAsFactor(db, limited.session),
      () => renewRecoveryCodes(tools, limited.session),
    ])
      await expect(change()).rejects.toThrow();
    expect(await accountOf()).toEqual(before);
  });
});

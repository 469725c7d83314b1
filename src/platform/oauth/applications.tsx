import { Hono, type Context } from 'hono';
import { endConnection, listConnections, type Connection } from '../../accounts/oauth/connections.ts';
import { AppError } from '../../errors.ts';
import { serviceOrigin } from '../../http/service-origin.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { agoIn } from '../kit/relative-time.tsx';
import { LeadWithGuide } from '../kit/section.tsx';
import { SettingsList, SETTINGS_STYLES, type Setting } from '../kit/settings-list.tsx';
import { page } from '../page.tsx';
import type { PageWords } from '../words.tsx';
import { nameOfApplication } from './consent-page.tsx';

const APPLICATIONS = '/platform/account/applications';

/** The applications that a user has connected; for pages behind `signedIn`. */
export function applicationPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(APPLICATIONS, async (c) => {
    const { db, session, words, site } = c.var;
    const { text, content } = words;
    const connections = await listConnections(db, session);
    return page(
      c,
      { title: text('applications.title'), styles: SETTINGS_STYLES },
      <SettingsList
        title={text('applications.title')}
        lead={<LeadWithGuide guide="mcp#by-oauth">{text('applications.lead')}</LeadWithGuide>}
        crumb={{ href: '/platform/account', label: text('account.title') }}
        action={null}
        settings={connections.map((connection) => settingOf(words, connection, session.timeZone))}
        empty={{
          title: text('applications.none'),
          text: content('applications.noneHint', { address: `${serviceOrigin(site)}/mcp` }),
        }}
      />,
    );
  });

  pages.get(`${APPLICATIONS}/:id/end`, async (c) => {
    const connection = await getConnection(c, c.req.param('id'));
    const { words } = c.var;
    const { text, content } = words;
    return page(
      c,
      { title: text('applications.disconnectTitle'), narrow: true },
      <ConfirmPage
        title={text('applications.disconnectThis')}
        label={text('applications.disconnect')}
        back={APPLICATIONS}
      >
        <p>
          {content('applications.disconnectEffect', {
            application: nameOfApplication(words, connection),
            workspace: connection.client.name,
          })}
        </p>
      </ConfirmPage>,
    );
  });

  pages.post(`${APPLICATIONS}/:id/end`, async (c) => {
    await endConnection(c.var.db, c.var.session, c.req.param('id'));
    return seeOther(c, APPLICATIONS, 'application-disconnected');
  });

  return pages;
}

function settingOf(words: PageWords, connection: Connection, timeZone: string): Setting {
  const { text, content } = words;
  const name = nameOfApplication(words, connection);
  return {
    name: <bdi>{name}</bdi>,
    title: name,
    facts: [
      content('applications.usedAgo', agoIn(words, connection.usedAt, timeZone)),
      <bdi>{connection.client.name}</bdi>,
      connection.scopes.join(', '),
      content('applications.connectedAgo', agoIn(words, connection.connectedAt, timeZone)),
    ],
    acts: [
      {
        icon: 'ban',
        label: text('applications.disconnect'),
        href: `${APPLICATIONS}/${connection.id}/end`,
        confirms: true,
      },
    ],
  };
}

async function getConnection(c: Context<PlatformEnv>, id: string): Promise<Connection> {
  const connection = (await listConnections(c.var.db, c.var.session)).find((each) => each.id === id);
  if (!connection) throw new AppError('not_found', 'This application is not connected, or no longer.');
  return connection;
}

import { Hono, type Context } from 'hono';
import { AppError } from '../../errors.ts';
import { linkToolsOf } from '../../http/link-tools.ts';
import { readQuery } from '../../http/query.ts';
import { campaignChangeFields, renameCampaign, undoMerge } from '../../links/edit/rename-campaign.ts';
import { getCampaign } from '../../links/list/campaigns.ts';
import { parseFields } from '../../input/validation.ts';
import { listHappenings } from '../../links/list/happenings.ts';
import { BREAKDOWNS } from '../clicks/cards.ts';
import { campaignEvents } from '../clicks/events.ts';
import { readCsv, readStatisticsIfPossible, type Scope } from '../clicks/read-statistics.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit } from '../forms/form.ts';
import { inClient, signedIn } from '../guard.ts';
import { page } from '../page.tsx';
import { editIdOf, textDetail, unmergedInPart } from '../undo.ts';
import { CampaignPage } from './campaign-page.tsx';
import { campaignIn, campaignPath } from './paths.ts';
import { ASKED, ConfirmRename, RenamePage } from './rename-page.tsx';
import { STATISTICS_STYLES } from '../clicks/statistics.tsx';

const CAMPAIGN = '/platform/c/:client/campaigns/:name';

/** One campaign: its clicks and its links, and another name for it. */
export function campaignPage(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(CAMPAIGN, signedIn, inClient, async (c) => {
    const { db, actor, client, session } = c.var;
    const name = nameOf(c);
    const path = campaignPath(client, name);
    const scope: Scope = {
      subject: { kind: 'campaign', name },
      path,
      breakdowns: BREAKDOWNS.campaign,
      hidden: ['campaign'],
      sharePath: campaignPath(client, name, '/share'),
      readEvents: async () => campaignEvents(client, (await listHappenings(db, actor, [name], null)).starts),
    };
    const file = await readCsv(c, scope);
    if (file) return file;
    const [campaign, statistics] = await Promise.all([
      getCampaign(c.var, actor, name),
      readStatisticsIfPossible(c, scope),
    ]);
    const content = <CampaignPage {...{ client, campaign, statistics }} timeZone={session.timeZone} />;
    return page(c, { title: name, styles: STATISTICS_STYLES }, content);
  });

  // First the form, then what it changes.
  pages.get(`${CAMPAIGN}/rename`, signedIn, inClient, async (c) => {
    const { actor, client } = c.var;
    const { [ASKED]: asked, ...query } = readQuery(c);
    const campaign = await getCampaign(c.var, actor, nameOf(c));
    if (asked === undefined && query['name'] === undefined) {
      return page(
        c,
        { title: c.var.words.text('campaigns.renameTitle'), narrow: true },
        <RenamePage {...{ client, campaign }} form={newForm()} />,
      );
    }
    const read = await submit(c, query, async () => newNameOf(query['name']?.trim(), campaign.name));
    if (!read.ok) {
      const content = <RenamePage {...{ client, campaign }} form={{ ...read.form, values: { name: '', ...query } }} />;
      return page(c, { title: c.var.words.text('campaigns.renameTitle'), narrow: true, status: read.status }, content);
    }
    const other = await getCampaign(c.var, actor, read.value).catch(absent);
    const content = <ConfirmRename {...{ client, campaign, other }} name={read.value} />;
    return page(c, { title: c.var.words.text('campaigns.renameTitle'), narrow: true }, content);
  });

  pages.post(`${CAMPAIGN}/rename`, signedIn, inClient, async (c) => {
    const { actor, client, statistics } = c.var;
    const fields = await readFields(c);
    const former = nameOf(c);
    const tools = { ...linkToolsOf(c), statistics };
    const sent = await submit(c, fields, async () => {
      const name = newNameOf(fields['name'], former);
      return { name, ...(await renameCampaign(tools, actor, former, name)) };
    });
    if (!sent.ok) {
      const campaign = await getCampaign(c.var, actor, former);
      const content = <RenamePage {...{ client, campaign }} form={sent.form} />;
      return page(c, { title: c.var.words.text('campaigns.renameTitle'), narrow: true, status: sent.status }, content);
    }
    const { name, isMerged, editId, links } = sent.value;
    const to = campaignPath(client, name);
    return isMerged
      ? seeOther(c, to, 'campaign-merged', [editId, textDetail(name), String(links)])
      : seeOther(c, to, 'campaign-renamed', [textDetail(former), textDetail(name)]);
  });

  pages.post(`${CAMPAIGN}/unmerge`, signedIn, inClient, async (c) => {
    const { edit, links = '' } = await readFields(c);
    const { actor, client } = c.var;
    const name = nameOf(c);
    const restored = await undoMerge(linkToolsOf(c), actor, name, editIdOf(edit));
    const to = campaignPath(client, name);
    const left = /^\d{1,3}$/.test(links) ? Number(links) - restored : 0;
    if (left > 0) return seeOther(c, to, 'links-undone-in-part', unmergedInPart(restored, left));
    return seeOther(c, to, restored > 0 ? 'links-campaign-undone' : 'links-same');
  });

  return pages;
}

const nameOf = (c: Context<PlatformEnv>): string => campaignIn(c.req.param('name') ?? '');

function newNameOf(typed: string | undefined, former: string): string {
  const { name } = parseFields(campaignChangeFields(), { name: typed });
  if (name !== former) return name;
  const sentence = 'This is its name already.';
  throw new AppError('invalid_name', sentence, { faults: [{ field: 'name', sentence }] });
}

function absent(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

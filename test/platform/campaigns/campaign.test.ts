import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { campaignPath } from '../../../src/platform/campaigns/paths.ts';
import { deliver, packOf } from '../../support/clicks.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { cookiesOf, form, openBrowser, placeOf, textOf, type Browse } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { hrefOf, peopleOf } from '../../support/statistics-page.ts';

afterEach(() => void vi.useRealTimers());

const pathOf = (caller: Caller, name: string, rest = '') => campaignPath({ id: caller.clientId }, name, rest);

async function open(): Promise<{ caller: Caller; browse: Browse }> {
  const caller = await seedCaller();
  return { caller, browse: (await openBrowser(caller)).browse };
}

const campaignOf = async (id: string) =>
  env.DB.prepare('SELECT campaign_name FROM links WHERE id = ?').bind(id).first('campaign_name');

/** The page to which a form leads, with the sentence about it. */
async function follow(cookie: string, response: Response): Promise<string> {
  const flash = cookiesOf(response)['__Host-terse-flash']?.[0];
  const [, path] = placeOf(response);
  return textOf(call(path ?? '', { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
}

const hiddenOf = (page: string, action: string): Record<string, string> => {
  const [, fields = ''] = page.split(`action="${action.replaceAll('&', '&amp;')}"`);
  const inputs = [...fields.split('</form>')[0]!.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
};

describe('the page of a campaign', () => {
  it.each([
    'Spring',
    'a/b/../c',
    '.',
    '..',
    '~.',
    '~~..',
    '100% & <b>"x"</b>?#',
    '%2e%2e',
    'קמפיין אביב',
    '🏖️ 家族',
    ' spaces ',
    'rename',
    'x'.repeat(128),
    '🏖'.repeat(128),
  ])('the page of a campaign has the clicks and the links of %j, and no others', async (name) => {
    const { caller, browse } = await open();
    const [link, other] = [await seedLink(caller, { campaign_name: name }), await seedLink(caller)];
    await deliver([packOf(link, [{ clicks: 3 }]), packOf(other, [{ clicks: 9 }])]);
    const response = await browse(pathOf(caller, name));
    const page = await response.text();
    expect([response.status, peopleOf(page)]).toEqual([200, 3]);
    const links = await (await browse(hrefOf(page, '1 link'))).text();
    expect(links).toContain(link.id);
    expect(links).not.toContain(other.id);
    const germans = await browse(`${pathOf(caller, name)}?country=DE`);
    expect(germans.status).toBe(200);
    expect((await browse(pathOf(caller, name, '/rename'))).status).toBe(200);
    const list = await (await browse(`/platform/c/${caller.clientId}/campaigns`)).text();
    expect(list.replaceAll('&amp;', '&')).toContain(`href="${pathOf(caller, name)}"`);
  });

  it('the page of a campaign does not exist for a name that no link and no click has, of another workspace, or that is too long', async () => {
    const { caller, browse } = await open();
    const stranger = await seedCaller();
    await seedLink(stranger, { campaign_name: 'Theirs' });
    for (const name of ['None', 'Theirs', 'x'.repeat(200)]) {
      expect((await browse(pathOf(caller, name))).status).toBe(404);
      expect((await browse(pathOf(caller, name, '/rename'))).status).toBe(404);
      expect((await browse(pathOf(caller, name, '/rename'), form({ name: 'New' }))).status).toBe(404);
    }
    expect((await browse(pathOf(stranger, 'Theirs'))).status).toBe(404);
  });

  it('the page of a campaign leads to its links while they have no clicks', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    await seedLink(caller, { campaign_name: 'Spring' });
    const page = await (await browse(pathOf(caller, 'Spring'))).text();
    expect(page).toContain('Share the short links of this campaign.');
    const links = `/platform/c/${caller.clientId}/links?campaign_name=Spring`;
    expect(page).toContain(`href="${links}">Show links</a>`);
  });

  it('the page of a campaign is led to from the overview, whether it filters that or not', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const link = await seedLink(caller, { campaign_name: 'Spring & co' });
    await deliver([packOf(link, 3)]);
    for (const query of ['', '?campaign=Spring+%26+co']) {
      const page = await (await browse(`/platform/c/${caller.clientId}${query}`)).text();
      expect(page).toContain(
        `<a class="open" href="${pathOf(caller, 'Spring & co')}" aria-label="Open Spring &amp; co" title="Open">`,
      );
    }
  });

  it('the page of a campaign gives a card as CSV, without the breakdown by campaign', async () => {
    const { caller, browse } = await open();
    await deliver([packOf(await seedLink(caller, { campaign_name: 'Spring' }), 3)]);
    expect((await browse(`${pathOf(caller, 'Spring')}?csv=link`)).headers.get('Content-Type')).toContain('text/csv');
    expect((await browse(`${pathOf(caller, 'Spring')}?csv=campaign`)).status).toBe(404);
  });
});

describe('a rename', () => {
  it('a rename says how many links change, renames them with their clicks, and can be undone', async () => {
    const { caller } = await open();
    const { browse, cookie } = await openBrowser(caller);
    const link = await seedLink(caller, { campaign_name: 'Spring' });
    await seedLink(caller, { campaign_name: 'Spring' });
    await deliver([packOf(link, 3)]);
    const asked = await (await browse(`${pathOf(caller, 'Spring', '/rename')}?name=+a/b..c+`)).text();
    expect(asked).toContain('Rename this campaign?');
    expect(asked).toContain('2 links of “<bdi>Spring</bdi>” get the campaign “<bdi>a/b..c</bdi>”');
    const done = await browse(pathOf(caller, 'Spring', '/rename'), form({ name: 'a/b..c' }));
    expect([done.status, done.headers.get('Location')]).toEqual([303, pathOf(caller, 'a/b..c')]);
    const page = await follow(cookie, done);
    expect(page).toContain('The campaign has been renamed.');
    expect(peopleOf(page)).toBe(3);
    const action = pathOf(caller, 'a/b..c', '/rename');
    const undone = await browse(action, form(hiddenOf(page, action)));
    expect([undone.status, undone.headers.get('Location')]).toEqual([303, pathOf(caller, 'Spring')]);
    expect(peopleOf(await (await browse(pathOf(caller, 'Spring'))).text())).toBe(3);
    expect(await campaignOf(link.id)).toBe('Spring');
    expect((await browse(pathOf(caller, 'a/b..c'))).status).toBe(404);
  });

  it('a rename is undone to the name as it was, with its spaces', async () => {
    const caller = await seedCaller();
    const { browse, cookie } = await openBrowser(caller);
    const link = await seedLink(caller, { campaign_name: ' Spring ' });
    const page = await follow(cookie, await browse(pathOf(caller, ' Spring ', '/rename'), form({ name: 'Summer' })));
    const action = pathOf(caller, 'Summer', '/rename');
    await browse(action, form(hiddenOf(page, action)));
    expect(await campaignOf(link.id)).toBe(' Spring ');
  });

  it('a rename to a name that exists is a merge, which says so, and is undone for its own links only', async () => {
    const { caller } = await open();
    const { browse, cookie } = await openBrowser(caller);
    const [spring, summer] = [
      await seedLink(caller, { campaign_name: 'Spring' }),
      await seedLink(caller, { campaign_name: 'Summer' }),
    ];
    await deliver([packOf(spring, 3), packOf(summer, 1)]);
    const asked = await (await browse(`${pathOf(caller, 'Spring', '/rename')}?name=Summer`)).text();
    expect(asked).toContain('Merge these campaigns?');
    expect(asked).toContain('exists already, with 1 link');
    const page = await follow(cookie, await browse(pathOf(caller, 'Spring', '/rename'), form({ name: 'Summer' })));
    expect(page).toContain('The campaigns have been merged.');
    expect(peopleOf(page)).toBe(1);
    const former = await (await browse(pathOf(caller, 'Spring'))).text();
    expect([peopleOf(former), former.includes('No link has this campaign any longer')]).toEqual([3, true]);
    const action = pathOf(caller, 'Summer', '/unmerge');
    await browse(action, form(hiddenOf(page, action)));
    expect([await campaignOf(spring.id), await campaignOf(summer.id)]).toEqual(['Spring', 'Summer']);
  });

  it('a rename keeps what was typed beside what is wrong with it', async () => {
    const { caller, browse } = await open();
    await seedLink(caller, { campaign_name: 'Spring' });
    for (const [name, sentence] of [
      ['', 'required'],
      ['x'.repeat(200), 'at most 128 characters'],
      ['Spring', 'its name already'],
    ] as const) {
      for (const refused of [
        await browse(`${pathOf(caller, 'Spring', '/rename')}?${name === '' ? '' : `name=${name}&`}do=continue`),
        await browse(pathOf(caller, 'Spring', '/rename'), form({ name })),
      ]) {
        const page = await refused.text();
        expect(refused.status).toBe(400);
        expect(page).toContain(sentence);
        expect(page).toContain(`value="${name}"`);
      }
    }
  });

  it('a rename cannot be undone with an id that no edit has', async () => {
    const { caller, browse } = await open();
    await seedLink(caller, { campaign_name: 'Spring' });
    const action = pathOf(caller, 'Spring', '/unmerge');
    expect((await browse(action, form({ edit: crypto.randomUUID() }))).status).toBe(303);
    expect((await browse(action, form({ edit: 'x' }))).status).toBe(404);
  });
});

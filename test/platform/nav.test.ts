import { describe, expect, it } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { seedMember } from '../support/management.ts';
import { openBrowser, textOf } from '../support/platform.ts';

/** Reads the marks of the navigation on a page: the label, and whether it leads to the page itself. */
function marksOf(page: string): string[] {
  const lines = [...page.matchAll(/<nav class="(?:nav|subnav)".*?<\/nav>/gs)].map(([line]) => line);
  return lines.flatMap((line) =>
    [...line.replaceAll(/<svg.*?<\/svg>/gs, '').matchAll(/aria-current="(\w+)">([^<]+)</g)].map(
      ([, current, label]) => `${label} ${current}`,
    ),
  );
}

const PAGES: readonly (readonly [path: string, marks: readonly string[]])[] = [
  ['', ['Overview page']],
  ['/links', ['Links page']],
  ['/links/new', ['Links true']],
  ['/links/views/new', ['Links true']],
  ['/campaigns', ['Campaigns page']],
  ['/keys', ['For developers true', 'API keys page']],
  ['/webhooks', ['For developers true', 'Webhooks page']],
  ['/domains', ['Domains page']],
  ['/domains/new', ['Domains true']],
  ['/tags', ['Settings true', 'Tags page']],
  ['/links/utm-templates', ['Settings true', 'UTM templates page']],
  ['/links/utm-templates/new', ['Settings true', 'UTM templates true']],
  ['/members', ['Settings true', 'Members page']],
  ['/audit', ['Settings true', 'Audit log page']],
  ['/settings', ['Settings true', 'Workspace page']],
];

describe('the navigation', () => {
  it.each(PAGES)('the navigation marks the section and the page at %s', async (path, marks) => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    expect(marksOf(await textOf(browse(`/platform/c/${caller.clientId}${path}`)))).toEqual(marks);
  });

  it('the navigation opens Settings on the workspace, and ends it with the audit log', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const page = await textOf(browse(`/platform/c/${caller.clientId}/settings`));
    expect(page).toMatch(
      new RegExp(`href="/platform/c/${caller.clientId}/settings"[^>]*><svg[^>]*>.{0,80}</svg>Settings<`),
    );
    const [, line = ''] = /<nav class="subnav" aria-label="Settings">(.*?)<\/nav>/s.exec(page) ?? [];
    expect([...line.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label)).toEqual([
      'Workspace',
      'Members',
      'Tags',
      'UTM templates',
      'Audit log',
    ]);
  });

  it('the navigation leads a member to what members can open, and to no page for owners', async () => {
    const owner = await seedCaller();
    const { browse } = await openBrowser(await seedMember(owner));
    const page = await textOf(browse(`/platform/c/${owner.clientId}/tags`));
    const [, navigation = ''] = /<header(.*?)<\/header>/s.exec(page) ?? [];
    const links = [...navigation.matchAll(/href="(\/platform[^"]+)"/g)].map(([, href = '']) => href);
    const paths = links.map((href) => href.replace(`/platform/c/${owner.clientId}/`, ''));
    expect(paths).toEqual(expect.arrayContaining(['links', 'campaigns', 'domains', 'tags', 'keys']));
    for (const href of links) expect([href, (await browse(href)).status]).toEqual([href, 200]);
  });
});

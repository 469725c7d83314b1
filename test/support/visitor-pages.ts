import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Language } from '../../src/languages/list.ts';
import type { VisitorWords } from '../../src/languages/visitor-words.ts';
import { failD1 } from './d1.ts';
import { enter } from './locked.ts';
import { openManager } from './manage.ts';
import { seedTenant } from './seed.ts';
import { openIsolate } from './service.ts';
import { byPerson, lock, setColumns } from './visits.ts';

/** Each page for visitors, with the texts that it has in each language. */

export const URL_OF_LINK = 'https://www.example.com/offer';

/** A link, and an isolate in which apps can be opened. */
export async function seedVisited(fields: Readonly<Record<string, unknown>> = {}) {
  const isolate = openIsolate({ DESTINATION_SCHEMES: 'myapp' });
  const manager = await openManager(await seedTenant(), isolate);
  return { isolate, id: await manager.make({ url: URL_OF_LINK, ...fields }) };
}

/** A visit of a person who wants a page in a language. */
export const wanting = (language: string, more: Readonly<Record<string, string>> = {}) =>
  byPerson({ Accept: 'text/html', 'Accept-Language': language, ...more });

/** One kind of page. */
export interface VisitorPage {
  readonly status: number;
  readonly open: (language: string, ofLink?: Language) => Promise<Response>;
  /** The texts of the page, its title first. */
  readonly texts: (words: VisitorWords) => readonly string[];
  /** False if the page knows no link. */
  readonly isOfLink?: false;
}

const fields = (ofLink: Language | undefined, more: object = {}) => ({
  ...more,
  ...(ofLink !== undefined && { language: ofLink }),
});

const openEnded = async (columns: Readonly<Record<string, unknown>>, language: string, ofLink?: Language) => {
  const { isolate, id } = await seedVisited(fields(ofLink));
  await setColumns(id, columns);
  return isolate(`/${id}`, wanting(language));
};

/** The texts of a sentence about destinations, those in bold apart. */
const strong = ([inside = '']: readonly string[]) => ({ inside });
const textsOf = (parts: readonly (string | { readonly inside: string })[]) =>
  parts.map((part) => (typeof part === 'string' ? part.replaceAll(/^ | $/g, '') : part.inside));
const day = new Date('2026-05-20T12:00:00Z');

/** The pages by their names. */
export const VISITOR_PAGES: Readonly<Record<string, VisitorPage>> = {
  'the form of a password': {
    status: 200,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink));
      await lock(id, 'open sesame');
      return isolate(`/${id}`, wanting(language));
    },
    texts: (words) => [
      words.text('password.title'),
      'terse.test/',
      'SLUG',
      words.text('password.title'),
      words.text('password.lead'),
      words.text('password.label'),
      words.text('password.submit'),
    ],
  },
  'the form after a wrong password': {
    status: 403,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink, { ask_first: true }));
      await lock(id, 'open sesame');
      return enter(isolate, `/${id}`, 'wrong', wanting(language).headers);
    },
    texts: (words) => [
      words.text('password.errorTitle'),
      words.text('password.title'),
      words.text('password.lead'),
      ...textsOf(words.parts('ask.website', { host: 'www.example.com', strong })),
      words.text('password.label'),
      words.text('password.wrong'),
      words.text('password.submit'),
    ],
  },
  'the form after too many attempts': {
    status: 429,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink, { ask_first: true }));
      await lock(id, 'open sesame');
      const attempt = () =>
        enter(isolate, `/${id}`, 'wrong', { ...wanting(language).headers, 'CF-Connecting-IP': '192.0.2.9' });
      let response = await attempt();
      while (response.status === 403) response = await attempt();
      return response;
    },
    texts: (words) => [
      words.text('password.errorTitle'),
      words.text('password.title'),
      words.text('password.lead'),
      ...textsOf(words.parts('ask.website', { host: 'www.example.com', strong })),
      words.text('password.label'),
      words.text('password.tooMany'),
      words.text('password.submit'),
    ],
  },
  'the question before a website': {
    status: 200,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink, { ask_first: true }));
      return isolate(`/${id}`, wanting(language));
    },
    texts: (words) => [
      words.text('ask.websiteTitle'),
      words.text('ask.websiteTitle'),
      ...textsOf(words.parts('ask.website', { host: 'www.example.com', strong })),
      words.text('ask.submit'),
    ],
  },
  'the question before an app': {
    status: 200,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(
        fields(ofLink, { ask_first: true, url: 'myapp://open', fallback: URL_OF_LINK }),
      );
      return isolate(`/${id}`, wanting(language));
    },
    texts: (words) => [
      words.text('ask.appTitle'),
      words.text('ask.appTitle'),
      ...textsOf(words.parts('ask.appOrWebsite', { scheme: 'myapp:', host: 'www.example.com', strong })),
      words.text('ask.submit'),
    ],
  },
  'the page of an app': {
    status: 200,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink, { url: 'myapp://open', fallback: URL_OF_LINK }));
      return isolate(`/${id}`, wanting(language));
    },
    texts: (words) => [
      words.text('app.title'),
      'terse.test/',
      'SLUG',
      words.text('app.title'),
      words.text('app.lead'),
      words.text('app.open'),
      words.text('app.browser'),
    ],
  },
  'the page with the destination': {
    status: 200,
    open: async (language, ofLink) => {
      const variants = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 }));
      const { isolate, id } = await seedVisited(fields(ofLink, { variants }));
      await setColumns(id, { created_at: day.getTime() });
      return isolate(`/${id}+`, wanting(language));
    },
    texts: (words) => [
      words.text('inspect.title'),
      'terse.test/',
      'SLUG',
      words.text('inspect.title'),
      URL_OF_LINK,
      words.text('inspect.elsewhere'),
      words.text('inspect.created', { day }),
    ],
  },
  'the page of a blocked destination': {
    status: 200,
    open: async (language, ofLink) => {
      const host = `${crypto.randomUUID()}.example`;
      const { isolate, id } = await seedVisited(fields(ofLink, { url: `https://${host}/` }));
      await setColumns(id, { created_at: day.getTime() });
      await block(host);
      return isolate(`/${id}+`, wanting(language));
    },
    texts: (words) => [
      words.text('inspect.title'),
      'terse.test/',
      'SLUG',
      words.text('inspect.title'),
      words.text('inspect.blocked'),
      words.text('inspect.created', { day }),
    ],
  },
  'the page for programs': {
    status: 200,
    open: async (language, ofLink) => {
      const { isolate, id } = await seedVisited(fields(ofLink, { max_clicks: 5 }));
      return isolate(`/${id}`, wanting(language, { 'User-Agent': 'curl/8.5.0' }));
    },
    texts: (words) => [words.text('program.title'), words.text('program.title'), words.text('program.lead')],
  },
  'the page of an expired link': {
    status: 410,
    open: (language, ofLink) => openEnded({ expires_at: 1 }, language, ofLink),
    texts: (words) => [words.text('gone.title'), '410', words.text('gone.title'), words.text('gone.advice')],
  },
  'the page of a blocked link': {
    status: 403,
    open: async (language, ofLink) => {
      const host = `${crypto.randomUUID()}.example`;
      const { isolate, id } = await seedVisited(fields(ofLink, { url: `https://${host}/` }));
      await block(host);
      return isolate(`/${id}`, wanting(language));
    },
    texts: (words) => [words.text('blocked.title'), '403', words.text('blocked.title'), words.text('blocked.advice')],
  },
  'the page of an address without a link': {
    status: 404,
    isOfLink: false,
    open: (language) => openIsolate()('/nosuchlink', wanting(language)),
    texts: (words) => [
      words.text('notFound.title'),
      '404',
      words.text('notFound.title'),
      words.text('notFound.advice'),
    ],
  },
  'the page of an outage': {
    status: 503,
    isOfLink: false,
    open: async (language) => {
      vi.spyOn(console, 'error').mockReturnValue();
      failD1();
      return openIsolate()('/nosuchlink', wanting(language));
    },
    texts: (words) => [
      words.text('unavailable.title'),
      '503',
      words.text('unavailable.title'),
      words.text('unavailable.advice'),
    ],
  },
  'the page of another method': {
    status: 405,
    isOfLink: false,
    open: (language) => openIsolate()('/nosuchlink', { ...wanting(language), method: 'PUT' }),
    texts: (words) => [
      words.text('unsupported.title'),
      '405',
      words.text('unsupported.title'),
      words.text('unsupported.advice'),
    ],
  },
};

const block = (host: string) =>
  env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(host).run();

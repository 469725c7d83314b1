import { STORED_NAMES, textOf } from '../../../links/fields/content.ts';
import { hasGeneratedSlug } from '../../../links/slugs/slug.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { curlChange, curlCreate, curlGet, curlInfo, curlSave } from '../../keys/curl.ts';
import { CodeBlock, CopyField } from '../../kit/copy.tsx';
import { Section } from '../../kit/section.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { labelOf } from '../field-words.ts';
import { LinkFrame, type OfLink } from './link-frame.tsx';

/** A call of the API for one link. */
interface Call {
  /** Of its section and, after `curl-` and `typescript-`, of its code. */
  readonly id: string;
  readonly title: string;
  readonly curl: string;
  readonly typescript?: string;
}

/** The calls of the API for a link, with placeholders for secrets. */
export function LinkApi({ origin, ...props }: OfLink & { origin: string }) {
  const words = useWords();
  const { text } = words;
  const { link } = props;
  return (
    <LinkFrame {...props} tab="api">
      <Section id="ids" title={text('linkPage.ids')} hint={text('linkPage.idsHint')}>
        <CopyField id="link-id" label={text('linkPage.id')} value={link.id} />
        {link.externalId === null ? (
          <p class="quiet">{text('linkPage.noExternalId')}</p>
        ) : (
          <CopyField id="link-external-id" label={labelOf(words, 'external_id')} value={link.externalId} />
        )}
      </Section>
      {callsOf(words, link, origin).map(({ id, title, curl, typescript }) => (
        <Section id={id} title={title}>
          <CodeBlock
            id={`curl-${id}`}
            label={typescript === undefined ? title : text('linkPage.withCurl', { call: title })}
            code={curl}
          />
          {typescript !== undefined && (
            <CodeBlock
              id={`typescript-${id}`}
              label={text('linkPage.withTypescript', { call: title })}
              code={typescript}
            />
          )}
        </Section>
      ))}
      <Section id="typed" title={text('linkPage.typescript')} hint={text('linkPage.typescriptHint')}>
        <CodeBlock id="typescript-types" label={text('linkPage.generateTypes')} code={TYPES(origin)} />
        <CodeBlock id="typescript-start" label={text('linkPage.prepareCalls')} code={START(origin)} />
      </Section>
    </LinkFrame>
  );
}

const TYPES = (origin: string) =>
  `npm install openapi-fetch\nnpx openapi-typescript ${origin}/openapi.json -o terse.d.ts`;
const START = (origin: string) =>
  [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from './terse.d.ts';`,
    '',
    `const headers = { 'X-API-Key': process.env.API_KEY };`,
    `const terse = createClient<paths>({ baseUrl: '${origin}', headers });`,
  ].join('\n');

function callsOf({ text }: PageWords, link: ManagedLink, origin: string): readonly Call[] {
  const { id, externalId } = link;
  const url = `${origin}/v1/links/${id}`;
  const change = { title: link.title ?? text('linkPage.newTitle') };
  const file = link.slug.replaceAll('/', '-');
  return [
    { id: 'get', title: text('linkPage.getLink'), curl: curlGet(url), typescript: callOf('GET', '', id) },
    {
      id: 'patch',
      title: text('linkPage.changeLink'),
      curl: curlChange('PATCH', url, change),
      typescript: callOf('PATCH', '', id, { body: change }),
    },
    {
      id: 'delete',
      title: text('linkPage.deleteCall'),
      curl: curlChange('DELETE', url),
      typescript: callOf('DELETE', '', id),
    },
    {
      id: 'stats',
      title: text('linkPage.getClicks'),
      curl: curlGet(`${url}/stats`),
      typescript: callOf('GET', '/stats', id),
    },
    {
      id: 'qr-code',
      title: text('linkPage.saveCode'),
      curl: curlSave(`${url}/qr.svg`, `${file}.svg`),
      typescript: callOf('GET', '/qr.svg', id, { parseAs: 'text' }),
    },
    ...(externalId === null
      ? []
      : [
          {
            id: 'external',
            title: text('linkPage.findExternal'),
            curl: curlGet(`${origin}/v1/links-by-external-id/${encodeURIComponent(externalId)}`),
          },
        ]),
    { id: 'info', title: text('linkPage.getInfo'), curl: curlInfo(origin, link) },
    { id: 'create', title: text('linkPage.createAgain'), curl: curlCreate(origin, createFieldsOf(link)) },
  ];
}

/** @param below the part of the path after the link's id */
function callOf(method: string, below: string, id: string, more: object = {}): string {
  const lines = Object.entries(more).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`);
  const init = `{\n  params: { path: { id: ${JSON.stringify(id)} } },\n${lines.join('')}}`;
  return `const { data, error } = await terse.${method}('/v1/links/{id}${below}', ${init});`;
}

// An external id is of one link only.
function createFieldsOf(link: ManagedLink): Record<string, string | null> {
  return {
    client_id: link.clientId,
    url: link.url,
    slug: hasGeneratedSlug(link) ? null : link.slug,
    custom_domain: link.customDomain,
    ...Object.fromEntries(
      STORED_NAMES.filter((name) => name !== 'external_id' && name !== 'imported_clicks').map((name) => [
        name,
        textOf(name, link),
      ]),
    ),
  };
}

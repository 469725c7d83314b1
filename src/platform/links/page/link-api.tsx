import { STORED_NAMES, textOf } from '../../../links/fields/content.ts';
import { linkFields } from '../../../links/fields/table.ts';
import { hasGeneratedSlug } from '../../../links/slugs/slug.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { curlChange, curlCreate, curlGet, curlInfo, curlSave } from '../../keys/curl.ts';
import { CodeBlock, CopyField } from '../../kit/copy.tsx';
import { Section } from '../../kit/section.tsx';
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
  const { link } = props;
  return (
    <LinkFrame {...props} tab="api">
      <Section id="ids" title="IDs" hint="A program can use either to name this link.">
        <CopyField id="link-id" label="ID" value={link.id} />
        {link.externalId === null ? (
          <p class="quiet">This link has no external ID, by which your own system could name it.</p>
        ) : (
          <CopyField id="link-external-id" label={linkFields.external_id.label} value={link.externalId} />
        )}
      </Section>
      {callsOf(link, origin).map(({ id, title, curl, typescript }) => (
        <Section id={id} title={title}>
          <CodeBlock id={`curl-${id}`} label={typescript === undefined ? title : `${title} with curl`} code={curl} />
          {typescript !== undefined && (
            <CodeBlock id={`typescript-${id}`} label={`${title} with TypeScript`} code={typescript} />
          )}
        </Section>
      ))}
      <Section
        id="typed"
        title="TypeScript"
        hint="Its types are generated from the API document. Replace API_KEY with your own key, here and above."
      >
        <CodeBlock id="typescript-types" label="Generate the types" code={TYPES(origin)} />
        <CodeBlock id="typescript-start" label="Prepare the calls" code={START(origin)} />
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

function callsOf(link: ManagedLink, origin: string): readonly Call[] {
  const { id, externalId } = link;
  const url = `${origin}/v1/links/${id}`;
  const change = { title: link.title ?? 'New title' };
  const file = link.slug.replaceAll('/', '-');
  return [
    { id: 'get', title: 'Get the link', curl: curlGet(url), typescript: callOf('GET', '', id) },
    {
      id: 'patch',
      title: 'Change the link',
      curl: curlChange('PATCH', url, change),
      typescript: callOf('PATCH', '', id, { body: change }),
    },
    {
      id: 'delete',
      title: 'Delete the link',
      curl: curlChange('DELETE', url),
      typescript: callOf('DELETE', '', id),
    },
    {
      id: 'stats',
      title: 'Get its clicks',
      curl: curlGet(`${url}/stats`),
      typescript: callOf('GET', '/stats', id),
    },
    {
      id: 'qr-code',
      title: 'Save its QR code',
      curl: curlSave(`${url}/qr.svg`, `${file}.svg`),
      typescript: callOf('GET', '/qr.svg', id, { parseAs: 'text' }),
    },
    ...(externalId === null
      ? []
      : [
          {
            id: 'external',
            title: 'Find it by its external ID',
            curl: curlGet(`${origin}/v1/links-by-external-id/${encodeURIComponent(externalId)}`),
          },
        ]),
    { id: 'info', title: 'Get its info', curl: curlInfo(origin, link) },
    { id: 'create', title: 'Create it again', curl: curlCreate(origin, createFieldsOf(link)) },
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

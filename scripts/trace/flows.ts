import { UsageError } from '../cli-error.ts';
import { USER, type Request, type TracedService } from './service.ts';

/** A kind of request whose way is counted. */
export interface Flow {
  readonly name: string;
  /** The most files and hops that the way may have; null if none was set. */
  readonly goal: Size | null;
  /** Creates what it needs. Returns the request that is traced, after one that warms the isolate. */
  open(service: TracedService): Promise<readonly [before: Request, traced: Request]>;
}

interface Size {
  readonly files: number;
  readonly hops: number;
}

/** Of no visitor in particular: without an address, a click has no mark. */
const VISITOR = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const FORM = 'application/x-www-form-urlencoded';

let created = 0;

/** The flows of `docs/architecture.md`, in its order. */
export const FLOWS: readonly Flow[] = [
  {
    name: 'hot redirect',
    goal: { files: 11, hops: 11 },
    // HEAD, which counts no click: that is part of the next flow.
    open: async (service) => {
      const visit = { method: 'HEAD', path: `/${await createLink(service)}`, headers: VISITOR };
      return [visit, visit];
    },
  },
  {
    name: 'cold redirect and click',
    goal: { files: 30, hops: 55 },
    open: async (service) => {
      const visit = async () => ({ method: 'GET', path: `/${await createLink(service)}`, headers: VISITOR });
      return [await visit(), await visit()];
    },
  },
  {
    name: 'POST /v1/links',
    goal: { files: 40, hops: 80 },
    open: async ({ apiKey }) => [withJson(apiKey, '/v1/links', newLink()), withJson(apiKey, '/v1/links', newLink())],
  },
  {
    name: 'PATCH /v1/links/{id}',
    goal: { files: 50, hops: 110 },
    open: async (service) => {
      const path = `/v1/links/${await createLink(service)}`;
      const edit = () => ({ ...withJson(service.apiKey, path, newLink()), method: 'PATCH' });
      return [edit(), edit()];
    },
  },
  {
    name: 'GET /v1/links/{id}',
    goal: { files: 40, hops: 90 },
    open: async (service) => twice(read(service, `/v1/links/${await createLink(service)}`)),
  },
  {
    name: 'GET /v1/links/{id}/stats',
    goal: { files: 45, hops: 120 },
    open: async (service) => {
      const id = await createLink(service);
      await service.send({ method: 'GET', path: `/${id}`, headers: VISITOR });
      await service.countClicks();
      return twice(read(service, `/v1/links/${id}/stats`));
    },
  },
  {
    name: 'first sign-in on the pages',
    goal: { files: 45, hops: 80 },
    // The isolate has loaded the pages, and has verified the password for the API.
    open: async (service) => {
      await service.send({ method: 'GET', path: '/platform' });
      const headers = { Authorization: `Basic ${btoa(`${USER.name}:${USER.password}`)}` };
      return [{ method: 'GET', path: '/tokens/create_token', headers }, signIn(service)];
    },
  },
  {
    name: 'import of two rows',
    goal: { files: 60, hops: 220 },
    open: async (service) => [importOf(service, ['a1', 'a2']), importOf(service, ['b1', 'b2'])],
  },
];

/**
 * The flow with a name, or that of a method and a path, such as `GET /v1/tags` or `DELETE /v1/links/{id}`. Throws
 * `UsageError`.
 *
 * @param body that of the request; `{id}` stands for the id of a new link, as in the path
 */
export function flowOf(name: string, body?: string): Flow {
  const known = FLOWS.find((flow) => flow.name === name);
  if (known !== undefined && body === undefined) return known;
  const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(name) ?? [];
  if (path === '') {
    const names = FLOWS.map((flow) => `"${flow.name}"`).join(', ');
    throw new UsageError(`"${name}" is no flow: give a method and a path, such as "GET /v1/tags", or one of ${names}.`);
  }
  return {
    name,
    goal: null,
    open: (service) => openOther(service, { method, path, ...(body !== undefined && { body }) }),
  };
}

async function openOther(service: TracedService, { method, path, body }: Request) {
  const isPage = path.startsWith('/platform');
  const credential = isPage
    ? { Cookie: cookieOf(await service.send(signIn(service))), Origin: service.origin }
    : { 'X-API-Key': service.apiKey };
  const type = body === undefined ? {} : { 'Content-Type': isPage ? FORM : 'application/json' };
  const request = async (): Promise<Request> => {
    const id = `${path}${body}`.includes(ID) ? await createLink(service) : '';
    const content = body === undefined ? {} : { body: body.replaceAll(ID, id) };
    return { method, path: path.replaceAll(ID, id), headers: { ...credential, ...type }, ...content };
  };
  return [await request(), await request()] as const;
}

const ID = '{id}';

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const twice = (request: Request): readonly [Request, Request] => [request, request];

function newLink(): object {
  created += 1;
  return { url: `https://example.com/${created}` };
}

async function createLink(service: TracedService): Promise<string> {
  const response = await service.send(withJson(service.apiKey, '/v1/links', newLink()));
  const { result } = (await response.json()) as { readonly result: string };
  return (JSON.parse(result) as { readonly id: string }).id;
}

function withJson(apiKey: string, path: string, fields: object): Request {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(fields) };
}

const read = ({ apiKey }: TracedService, path: string): Request => ({
  method: 'GET',
  path,
  headers: { 'X-API-Key': apiKey },
});

function signIn({ origin }: TracedService): Request {
  const headers = { ...VISITOR, 'Content-Type': FORM, Origin: origin };
  const body = new URLSearchParams({ ...USER, next: '/platform' }).toString();
  return { method: 'POST', path: '/platform/sign-in', headers, body };
}

function importOf({ apiKey }: TracedService, slugs: readonly string[]): Request {
  const rows = slugs.map((slug) => `https://example.com/${slug},${slug}\n`);
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/csv' };
  return { method: 'POST', path: '/v1/links/import', headers, body: `url,slug\n${rows.join('')}` };
}

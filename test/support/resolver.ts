import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import dnsPacket, { type Answer, type PacketOpt } from 'dns-packet';
import type { TestProject } from 'vitest/node';
import type { DnsAnswer, ZoneEntry } from './zone.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the tests' resolver. */
    readonly resolverUrl: string;
  }
}

const MEDIA_TYPE = 'application/dns-message';
const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** Starts a resolver for all tests of a project. */
export default async function provideResolver(project: TestProject): Promise<() => void> {
  const { url, end } = await startResolver();
  project.provide('resolverUrl', url);
  return end;
}

/**
 * A resolver on this machine that speaks DNS over HTTPS (RFC 8484). `PUT` with a `ZoneEntry` sets its answer for a
 * name; any other name is NXDOMAIN. It also behaves as the worst kind of web server: it never finishes the answer to a
 * `GET`, and as localhost it never begins one.
 */
export async function startResolver(): Promise<{ readonly url: string; readonly end: () => void }> {
  const zone = new Map<string, DnsAnswer>();
  const server = createServer((request, response) => {
    answer(zone, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`, end };
}

const TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'TXT']);

// Each path is a resolver of its own.
const keyOf = ({ url }: IncomingMessage, name: string) => `${url} ${name.toLowerCase()}`;

async function answer(zone: Map<string, DnsAnswer>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  if (request.method === 'GET') {
    if (!request.headers.host?.startsWith('localhost')) response.writeHead(200).write('{"proof":');
    return;
  }
  if (request.method === 'PUT') {
    const { name, answer: set } = JSON.parse(body.toString()) as ZoneEntry;
    zone.set(keyOf(request, name), set);
    response.writeHead(204).end();
    return;
  }
  const query = dnsPacket.decode(body);
  const [question] = query.questions ?? [];
  const isDns = request.method === 'POST' && request.headers['content-type'] === MEDIA_TYPE;
  if (!isDns || !question || query.type !== 'query' || !query.flag_rd || !TYPES.has(question.type)) {
    response.writeHead(415).end();
    return;
  }
  const found = zone.get(keyOf(request, question.name)) ?? { rcode: 'NXDOMAIN' };
  if (found.afterMs) await setTimeout(found.afterMs);
  if (found.raw !== undefined) {
    const { status = 200, mediaType = MEDIA_TYPE, base64 } = found.raw;
    response.writeHead(status, { 'Content-Type': mediaType }).end(Buffer.from(base64, 'base64'));
    return;
  }
  const knowsEdns = (query.additionals ?? []).some(({ type }) => type === 'OPT');
  const packet = dnsPacket.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | (found.rcode ? RCODES[found.rcode] : 0),
    questions: [{ ...question, name: found.questionName ?? question.name }],
    additionals: knowsEdns && found.reason !== undefined ? [reasonRecord(found.reason)] : [],
    answers: [
      ...(question.type === 'A' ? (found.a ?? []) : []).map((data) => ({
        type: 'A' as const,
        name: question.name,
        ttl: 60,
        data,
      })),
      ...(question.type === 'AAAA' ? (found.aaaa ?? []) : []).map((data) => ({
        type: 'AAAA' as const,
        name: question.name,
        ttl: 60,
        data,
      })),
      ...(found.alias ? [{ type: 'CNAME' as const, name: question.name, ttl: 60, data: found.alias }] : []),
      ...(question.type === 'TXT' ? (found.txt ?? []) : []).map((data) => ({
        type: 'TXT' as const,
        name: found.alias ?? question.name,
        ttl: 60,
        data,
      })),
    ],
  });
  response.writeHead(200, { 'Content-Type': MEDIA_TYPE }).end(packet);
}

function reasonRecord(reason: number): Answer {
  const data = Buffer.alloc(2);
  data.writeUInt16BE(reason);
  const rest = { udpPayloadSize: 4096, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false };
  // The types do not know option 15, which the encoder writes unchanged.
  const option = { code: 15, data } as unknown as PacketOpt;
  return { type: 'OPT', name: '.', ...rest, options: [option] };
}

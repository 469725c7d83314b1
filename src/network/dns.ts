import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet';
import { AppError } from '../errors.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import { readUpTo } from '../bounds/read-up-to.ts';

/** The TXT records of a name, as texts, or the reason why there are none. */
export type TxtAnswer = readonly string[] | 'no_such_name' | 'server_failure';

/** Looks up the TXT records of a name. Throws `resolver_unavailable`. */
export type Resolver = (name: string) => Promise<TxtAnswer>;

const MEDIA_TYPE = 'application/dns-message';
const MAX_BYTES = 65_535;
const RETRY_AFTER_SECONDS = 30;
// RFC 1035, section 4.1.1.
const SERVER_FAILURE = 2;

/** A resolver by DNS over HTTPS (RFC 8484), in the wire format of RFC 1035. */
export function openResolver(url: URL): Resolver {
  return async (name) => {
    const answers = await answersOf(url, { type: 'TXT', name }, AbortSignal.timeout(TIMEOUT_MS.domainProof));
    if (typeof answers === 'string') return answers;
    // A CNAME may come first, and then the records have another name than the question.
    return answers.flatMap((record) => (record.type === 'TXT' ? [textOf(record.data)] : []));
  };
}

/**
 * The IPv4 and IPv6 addresses of a name, with aliases followed; an empty list if it has none. Throws
 * `resolver_unavailable`.
 */
export type AddressResolver = (name: string) => Promise<readonly string[] | 'server_failure'>;

/** Looks up addresses at the resolver of `openResolver`. */
export function openAddressResolver(url: URL): AddressResolver {
  return async (name) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS.domainProof);
    const addresses: string[] = [];
    // One after the other: an invocation has six connections at a time, for which the look-ups of other names wait.
    for (const type of ['A', 'AAAA'] as const) {
      const answers = await answersOf(url, { type, name }, signal);
      if (answers === 'server_failure') return answers;
      if (answers === 'no_such_name') continue;
      addresses.push(
        ...answers.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.data] : [])),
      );
    }
    return addresses;
  };
}

/** Checks that the resolver responds, whatever it says of a single name. Throws `resolver_unavailable`. */
export type ResolverCheck = () => Promise<void>;

/** Asks the resolver of `openResolver` about the root, which every resolver knows. */
export function openResolverCheck(url: URL): ResolverCheck {
  return async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS.domainProof);
    const packet = await askDns(url, { type: 'TXT', name: '.' }, signal).catch((cause: unknown) => {
      throw resolverUnavailable(cause);
    });
    if (rcodeOf(packet) === SERVER_FAILURE) throw resolverUnavailable(new Error('the resolver does not know the root'));
  };
}

/** The error that is thrown while DNS does not respond. */
export function resolverUnavailable(cause?: unknown): AppError {
  return new AppError('resolver_unavailable', 'The DNS resolver is temporarily unavailable. Try again in a minute.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** A DNS question in the class IN. */
interface Question {
  readonly type: 'A' | 'AAAA' | 'TXT';
  readonly name: string;
}

/**
 * Asks a resolver by DNS over HTTPS. Throws if there is no complete answer to the question. The caller interprets the
 * answer and its code.
 */
export async function askDns(url: URL, { type, name }: Question, signal: AbortSignal): Promise<DecodedPacket> {
  // RFC 8484, section 4.1: the same id in every question. Resolvers give reasons only to clients with EDNS (RFC 8914,
  // section 3).
  const message = dnsPacket.encode({
    type: 'query',
    id: 0,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type, class: 'IN', name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 4096,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE },
    body: new Uint8Array(message),
    redirect: 'manual',
    signal,
  });
  const mediaType = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (response.status !== 200 || mediaType !== MEDIA_TYPE) {
    await response.body?.cancel();
    throw new Error(`the resolver answered ${response.status} with ${mediaType ?? 'no media type'}`);
  }
  const body = await readUpTo(response, MAX_BYTES);
  if (body === null) throw new Error('the response is longer than a DNS message can be');
  const packet = dnsPacket.decode(body);
  const [question] = packet.questions ?? [];
  const isAnswer = packet.type === 'response' && question?.type === type && isSameName(question.name, name);
  if (!isAnswer || packet.flag_tc) throw new Error('the message is no whole answer to the question');
  return packet;
}

/** The records that answer a question, or the reason why there are none. Throws `resolver_unavailable`. */
async function answersOf(
  url: URL,
  question: Question,
  signal: AbortSignal,
): Promise<readonly Answer[] | 'no_such_name' | 'server_failure'> {
  try {
    const packet = await askDns(url, question, signal);
    const rcode = rcodeOf(packet);
    if (rcode === 0) return packet.answers ?? [];
    if (rcode === SERVER_FAILURE) return 'server_failure';
    if (rcode === 3) return 'no_such_name';
    // The resolver cannot answer or refuses to, which says nothing about the domain.
    throw new Error(`the resolver answered with rcode ${rcode}`);
  } catch (cause) {
    throw resolverUnavailable(cause);
  }
}

/** The low four bits of the flags (RFC 1035, section 4.1.1). */
export function rcodeOf({ flags = 0 }: DecodedPacket): number {
  return flags & 0x000f;
}

// A record holds one or more strings of up to 255 octets, which together are its text (RFC 7208, section 3.3).
function textOf(data: string | Buffer | readonly (string | Buffer)[]): string {
  const strings = Array.isArray(data) ? (data as readonly (string | Buffer)[]) : [data as string | Buffer];
  return strings.map((text) => text.toString()).join('');
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The response of the tests' resolver for a name. */
export interface DnsAnswer {
  /** Each record is a text, or its strings. */
  readonly txt?: readonly (string | string[])[];
  /** IPv4 and IPv6 addresses, for queries of type A and AAAA. */
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  /** The code of a reason (RFC 8914), for clients with EDNS. */
  readonly reason?: number;
  readonly rcode?: 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';
  /** The name is an alias of this one, which has the records. */
  readonly alias?: string;
  /** The name in the question of the answer, if it differs from the requested one. */
  readonly questionName?: string;
  readonly afterMs?: number;
  /** Bytes instead of a DNS message. */
  readonly raw?: { readonly base64: string; readonly status?: number; readonly mediaType?: string };
}

export interface ZoneEntry {
  readonly name: string;
  readonly answer: DnsAnswer;
}

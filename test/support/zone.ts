/** What the resolver of the tests answers to a name. */
export interface DnsAnswer {
  /** Each record is a text, or the strings that it consists of. */
  readonly txt?: readonly (string | string[])[];
  /** IPv4 and IPv6 addresses, for queries of type A and AAAA. */
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  /** The code of a reason (RFC 8914), told to who knows EDNS. */
  readonly reason?: number;
  readonly rcode?: 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';
  /** The name is an alias of this one, which has the records. */
  readonly alias?: string;
  /** The name in the question that is answered, where it is another than the one that was asked. */
  readonly questionName?: string;
  readonly afterMs?: number;
  /** Bytes in place of a DNS message. */
  readonly raw?: { readonly base64: string; readonly status?: number; readonly mediaType?: string };
}

export interface ZoneEntry {
  readonly name: string;
  readonly answer: DnsAnswer;
}

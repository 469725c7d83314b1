import { MAX_USER_AGENT } from '../../clicks/lengths.ts';
import { classifyVisitor, type Kind, type Visitor } from '../../clicks/visitor.ts';
import { siteOf } from '../../clicks/referrer.ts';
import { withoutMarker } from '../../clicks/source.ts';
import { continentOf, isContinent, type Continent } from '../../text/countries.ts';
import { hostnameOf } from '../../network/hosts.ts';
import { hextetsOf } from '../../network/hextets.ts';
import { networkOf } from '../../network/address-block.ts';
import { TextMemo } from '../../text/text-memo.ts';
import { MAX_URL_CHARACTERS } from '../destinations/web-url.ts';
import { firstLanguage } from '../../languages/accepted.ts';

/** The facts of a request about its visitor, unchanged. Null, or an empty text, is what it does not say. */
export interface VisitorSource {
  /** ISO 3166-1 alpha-2, from Cloudflare (`request.cf.country`). */
  readonly country: string | null;
  /** The part of an ISO 3166-2 code after the country, from Cloudflare (`request.cf.regionCode`). */
  readonly regionCode: string | null;
  /** From Cloudflare (`request.cf.continent`); if it is null, that of the country. */
  readonly continent: string | null;
  /** The `Referer` header. */
  readonly referrer: string | null;
  /** The `User-Agent` header. */
  readonly userAgent: string | null;
  /** The `Accept-Language` header. */
  readonly languages: string | null;
  /** The IP address. */
  readonly address: string | null;
  /** The query of the URL, with or without its `?`. */
  readonly search: string;
  /** When the request came, in milliseconds since the epoch. */
  readonly at: number;
}

// Some 2,000 user agents are in use at a time, and to classify one takes tens of microseconds.
const agents = new TextMemo<Visitor>(classifyVisitor, { mostEntries: 4000, mostBytes: 2 * 1024 * 1024 });

/**
 * The facts that rules ask about a visitor. Each fact is derived when it is first asked for, and once; a property of
 * the source is read then, so that getters can put off the work of reading a request.
 */
export class VisitorFacts {
  readonly #source: VisitorSource;
  #country: string | null | undefined;
  #region: string | null | undefined;
  #addressHextets: readonly number[] | null | undefined;
  #continent: Continent | null | undefined;
  #language: string | null | undefined;
  #userAgent: string | undefined;
  #agent: Visitor | undefined;
  #languageRanges: ReadonlySet<string> | undefined;
  #referrerHost: string | null | undefined;
  #referrerHosts: ReadonlySet<string> | undefined;
  #parameters: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  #identity: string | undefined;
  #at: number | undefined;

  constructor(source: VisitorSource) {
    this.#source = source;
  }

  /** Milliseconds since the epoch. */
  get at(): number {
    return (this.#at ??= this.#source.at);
  }

  /** A code of two characters in capital letters. */
  get country(): string | null {
    return this.#country === undefined ? (this.#country = codeOf(this.#source.country)) : this.#country;
  }

  /** The code of ISO 3166-2, in capital letters. */
  get region(): string | null {
    return this.#region === undefined ? (this.#region = this.#findRegion()) : this.#region;
  }

  get continent(): Continent | null {
    return this.#continent === undefined ? (this.#continent = this.#findContinent()) : this.#continent;
  }

  /** The language of the visitor's first choice, as a tag in small letters. */
  get language(): string | null {
    return this.#language === undefined ? (this.#language = firstLanguage(this.#source.languages)) : this.#language;
  }

  /** The ranges that the language is in (RFC 4647, section 3.3.1): its tag, and its beginnings of whole subtags. */
  get languageRanges(): ReadonlySet<string> {
    return (this.#languageRanges ??= beginningsOf(this.language));
  }

  get kind(): Kind {
    return this.#classified.kind;
  }

  get device(): string | null {
    return this.#classified.device;
  }

  get os(): string | null {
    return this.#classified.os;
  }

  get browser(): string | null {
    return this.#classified.browser;
  }

  /** The host name of the page that the visitor comes from, as all comparisons use it. */
  get referrerHost(): string | null {
    return this.#referrerHost === undefined ? (this.#referrerHost = hostOf(this.#source.referrer)) : this.#referrerHost;
  }

  /** That host, and those above it. */
  get referrerHosts(): ReadonlySet<string> {
    return (this.#referrerHosts ??= endsOf(this.referrerHost));
  }

  /** The numbers of the IP address, as `hextetsOf` gives them. */
  get addressHextets(): readonly number[] | null {
    if (this.#addressHextets !== undefined) return this.#addressHextets;
    return (this.#addressHextets = hextetsOf(this.#source.address?.slice(0, MAX_ADDRESS) ?? ''));
  }

  /** The values of each parameter of the query but that of QR codes; none if it is longer than a destination may be. */
  get parameters(): ReadonlyMap<string, ReadonlySet<string>> {
    return (this.#parameters ??= parametersOf(withoutMarker(this.#source.search)));
  }

  /** The identity by which visitors are distinguished: the address, an IPv6 address as its /64, and the user agent. */
  get identity(): string {
    return (this.#identity ??= identityOf(this.#source.address ?? '', this.#agentText));
  }

  get #agentText(): string {
    return (this.#userAgent ??= this.#source.userAgent ?? '');
  }

  get #classified(): Visitor {
    return (this.#agent ??= classify(this.#agentText));
  }

  #findRegion(): string | null {
    const { regionCode } = this.#source;
    if (this.country === null || regionCode === null || !/^[a-z\d]{1,3}$/i.test(regionCode)) return null;
    return `${this.country}-${regionCode.toUpperCase()}`;
  }

  #findContinent(): Continent | null {
    const code = codeOf(this.#source.continent);
    if (code !== null && isContinent(code)) return code;
    return this.country === null ? null : continentOf(this.country);
  }
}

// An IPv6 address with a zone has less.
const MAX_ADDRESS = 100;

function identityOf(address: string, userAgent: string): string {
  return `${networkOf(address.slice(0, MAX_ADDRESS))}\n${userAgent.slice(0, MAX_USER_AGENT)}`;
}

// A part of a text would keep all of it in memory, so it is not remembered.
function classify(userAgent: string): Visitor {
  return userAgent.length > MAX_USER_AGENT ? classifyVisitor(userAgent.slice(0, MAX_USER_AGENT)) : agents.of(userAgent);
}

const codeOf = (code: string | null): string | null => (code?.length === 2 ? code.toUpperCase() : null);

function hostOf(referrer: string | null): string | null {
  const url = referrer === null ? null : URL.parse(siteOf(referrer));
  return (url !== null && hostnameOf(url)) || null;
}

// Conditions ask for these in turn, hundreds of times for a link, so that each text is taken apart once.
function beginningsOf(tag: string | null): ReadonlySet<string> {
  const beginnings = new Set<string>();
  if (tag === null) return beginnings;
  for (let end = tag.length; end !== -1; end = tag.lastIndexOf('-', end - 1)) beginnings.add(tag.slice(0, end));
  return beginnings;
}

function endsOf(host: string | null): ReadonlySet<string> {
  const ends = new Set<string>();
  if (host === null) return ends;
  for (let rest = host, dot = 0; dot !== -1; rest = rest.slice(dot + 1)) {
    ends.add(rest);
    dot = rest.indexOf('.');
  }
  return ends;
}

function parametersOf(search: string): ReadonlyMap<string, ReadonlySet<string>> {
  const parameters = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(search.length > MAX_URL_CHARACTERS ? '' : search)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, new Set([value]));
    else values.add(value);
  }
  return parameters;
}

/**
 * An authenticator in software (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-model), with a browser around it: what
 * a page gets of `navigator.credentials`, in JSON.
 */

/** The signature algorithms, by the numbers of COSE. */
const ALGORITHMS = {
  ES256: { id: -7, params: { name: 'ECDSA', namedCurve: 'P-256' }, signing: { name: 'ECDSA', hash: 'SHA-256' } },
  Ed25519: { id: -8, params: { name: 'Ed25519' }, signing: { name: 'Ed25519' } },
  RS256: {
    id: -257,
    params: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    signing: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const;

export type Algorithm = keyof typeof ALGORITHMS;

/** The options of a page, as far as an authenticator needs them. */
export interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

export interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** What is unlike an honest browser or authenticator. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** The id of another credential. */
  readonly id?: string;
  /** Changes the signature. */
  readonly forged?: boolean;
  /** The statement of an attestation that was not asked for. */
  readonly statement?: string;
}

/** A passkey in an authenticator. */
export class SoftwarePasskey {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(32)));
  readonly #keys: CryptoKeyPair;
  readonly #algorithm: Algorithm;
  readonly #counts: boolean;
  #rpId = '';
  #userHandle = '';
  #counter = 0;

  private constructor(keys: CryptoKeyPair, algorithm: Algorithm, counts: boolean) {
    this.#keys = keys;
    this.#algorithm = algorithm;
    this.#counts = counts;
  }

  /** @param counts true if it counts its uses; those that are synchronised between devices always say 0 */
  static async open(algorithm: Algorithm = 'ES256', counts = true): Promise<SoftwarePasskey> {
    const keys = await crypto.subtle.generateKey(ALGORITHMS[algorithm].params, true, ['sign', 'verify']);
    if (!('privateKey' in keys)) throw new TypeError('passkeys have a pair of keys');
    return new SoftwarePasskey(keys, algorithm, counts);
  }

  /** `navigator.credentials.create` of a page. */
  async create(options: CreationOptions, pageOrigin: string, deviation: Deviation = {}): Promise<string> {
    this.#rpId = options.rp.id;
    this.#userHandle = options.user.id;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, await this.#publicKey()]);
    const statement = deviation.statement === undefined ? [] : [['sig', Buffer.from(deviation.statement)] as const];
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', deviation.statement === undefined ? 'none' : 'packed'],
        ['attStmt', new Map(statement)],
        ['authData', await this.#authenticatorData(deviation, 0x40, attested)],
      ]),
    );
    return JSON.stringify({
      id: deviation.id ?? this.id,
      rawId: deviation.id ?? this.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, pageOrigin, deviation)),
        attestationObject: base64url(attestationObject),
        transports: ['internal', 'hybrid'],
      },
    });
  }

  /** `navigator.credentials.get` of a page. */
  async get(options: RequestOptions, pageOrigin: string, deviation: Deviation = {}): Promise<string> {
    if (this.#counts) this.#counter += 1;
    const data = clientData('webauthn.get', options.challenge, pageOrigin, deviation);
    const authenticatorData = await this.#authenticatorData(deviation, 0);
    const signature = await this.#sign(Buffer.concat([authenticatorData, await sha256(data)]));
    if (deviation.forged) signature[signature.length - 1]! ^= 1;
    const { userHandle = this.#userHandle } = deviation;
    return JSON.stringify({
      id: deviation.id ?? this.id,
      rawId: deviation.id ?? this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        ...(userHandle !== null && { userHandle }),
      },
    });
  }

  async #authenticatorData(
    { rpId = this.#rpId, isVerified = true, counter = this.#counter }: Deviation,
    flags: number,
    attested = Buffer.alloc(0),
  ): Promise<Buffer> {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const head = Buffer.from([flags | 0x01 | (isVerified ? 0x04 : 0)]);
    return Buffer.concat([await sha256(Buffer.from(rpId)), head, count, attested]);
  }

  async #publicKey(): Promise<Buffer> {
    const jwk = await crypto.subtle.exportKey('jwk', this.#keys.publicKey);
    if (jwk instanceof ArrayBuffer) throw new TypeError('a JWK is an object');
    const { n = '', e = '', x = '', y = '' } = jwk;
    const bytes = (text: string) => Buffer.from(text, 'base64url');
    const { id } = ALGORITHMS[this.#algorithm];
    const entries: readonly (readonly [number, unknown])[] = {
      ES256: [[1, 2] as const, [3, id] as const, [-1, 1] as const, [-2, bytes(x)] as const, [-3, bytes(y)] as const],
      Ed25519: [[1, 1] as const, [3, id] as const, [-1, 6] as const, [-2, bytes(x)] as const],
      RS256: [[1, 3] as const, [3, id] as const, [-1, bytes(n)] as const, [-2, bytes(e)] as const],
    }[this.#algorithm];
    return cbor(new Map(entries));
  }

  async #sign(bytes: Buffer): Promise<Buffer> {
    const { signing } = ALGORITHMS[this.#algorithm];
    const signed = Buffer.from(await crypto.subtle.sign(signing, this.#keys.privateKey, new Uint8Array(bytes)));
    return this.#algorithm === 'ES256' ? derOf(signed) : signed;
  }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const sha256 = async (bytes: Uint8Array): Promise<Buffer> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));

function clientData(type: string, challenge: string, origin: string, deviation: Deviation): Buffer {
  const { crossOrigin = false } = deviation;
  return Buffer.from(
    JSON.stringify({ type: deviation.type ?? type, challenge, origin: deviation.origin ?? origin, crossOrigin }),
  );
}

/** A signature of ECDSA in DER (RFC 3279, section 2.2.3), of its two numbers side by side. */
function derOf(signature: Buffer): Buffer {
  const half = signature.length / 2;
  const numbers = [signature.subarray(0, half), signature.subarray(half)].map((number) => {
    const start = number.findIndex((byte) => byte !== 0);
    const bytes = number.subarray(start);
    const whole = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
    return Buffer.concat([Buffer.from([0x02, whole.length]), whole]);
  });
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

/** CBOR (RFC 8949) of whole numbers, texts, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  if (!(value instanceof Map)) throw new TypeError(`no CBOR for ${typeof value}`);
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function cborHead(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  return count < 0x100
    ? Buffer.from([(major << 5) | 24, count])
    : Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
}

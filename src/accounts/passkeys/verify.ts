import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import * as z from 'zod';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseJson } from '../../text/json.ts';
import type { ReadChallenge } from './challenges.ts';

/** Checks of what browsers send for a passkey (https://www.w3.org/TR/webauthn-3/#sctn-rp-operations). */

/** The signature algorithms of passkeys, in the order of preference: Ed25519, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

// An id has at most 1,023 bytes.
const MAX_ID = 1364;
const MAX_TEXT = 8 * 1024;

const base64url = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most);

const shared = lazy(() => ({ id: base64url(MAX_ID), rawId: base64url(MAX_ID), type: z.literal('public-key') }));

const registration = lazy(() =>
  z.object({
    ...shared(),
    response: z.object({
      clientDataJSON: base64url(MAX_TEXT),
      attestationObject: base64url(2 * MAX_TEXT),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .catch([])
        .default([]),
    }),
  }),
);

const assertion = lazy(() =>
  z.object({
    ...shared(),
    response: z.object({
      clientDataJSON: base64url(MAX_TEXT),
      authenticatorData: base64url(MAX_TEXT),
      signature: base64url(MAX_TEXT),
      userHandle: base64url(MAX_ID).nullish(),
    }),
  }),
);

/** A new passkey as a browser sends it, in JSON (`PublicKeyCredential.toJSON`). */
type Registration = z.output<ReturnType<typeof registration>>;
/** The use of a passkey as a browser sends it, in JSON. */
export type Assertion = z.output<ReturnType<typeof assertion>>;

/** Throws `invalid_passkey`. */
export const readRegistration = (text: string): Registration => read(registration(), text);
/** Throws `invalid_passkey`. */
export const readAssertion = (text: string): Assertion => read(assertion(), text);

function read<Output>(schema: z.ZodType<Output>, text: string): Output {
  if (text === '')
    throw new AppError('invalid_passkey', 'The browser has sent no passkey. Scripts have to run for that.');
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    throw invalidPasskey(cause);
  }
}

/** The checks that a passkey has to pass. */
interface Expected {
  readonly origin: string;
  readonly rpId: string;
  /** Reads a challenge; null if it is not valid here. */
  readonly readChallenge: (encoded: string) => ReadChallenge | null;
}

interface VerifiedPasskey {
  readonly challenge: ReadChallenge;
  readonly id: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Verifies a new passkey, with user verification. Throws `invalid_passkey`. */
export async function verifyRegistration(sent: Registration, expected: Expected): Promise<VerifiedPasskey> {
  const challenge = challengeOf(sent, expected);
  const { registrationInfo } = await orRefuse(
    verifyRegistrationResponse({
      response: {
        ...sent,
        clientExtensionResults: {},
        response: {
          clientDataJSON: sent.response.clientDataJSON,
          attestationObject: withoutStatement(sent.response.attestationObject),
        },
      },
      expectedChallenge: challenge.encoded,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  // The signed id is the one that counts.
  if (registrationInfo?.credential.id !== sent.id) throw invalidPasskey();
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    challenge: challenge.read,
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: sent.response.transports,
  };
}

/** A passkey that is stored. */
interface StoredPasskey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Verifies the use of a passkey, with user verification, and returns its new count. Throws `invalid_passkey`. */
export async function verifyAssertion(
  sent: Assertion,
  { id, publicKey, counter }: StoredPasskey,
  expected: Expected,
): Promise<{ readonly challenge: ReadChallenge; readonly counter: number }> {
  const challenge = challengeOf(sent, expected);
  const { clientDataJSON, authenticatorData, signature } = sent.response;
  const { verified, authenticationInfo } = await orRefuse(
    verifyAuthenticationResponse({
      response: { ...sent, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge.encoded,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
    }),
  );
  if (!verified) throw invalidPasskey();
  return { challenge: challenge.read, counter: authenticationInfo.newCounter };
}

const clientData = lazy(() => z.object({ challenge: z.string(), crossOrigin: z.literal(false).optional() }));

/** The challenge that was signed. A page of another site that frames this one is none of ours. */
function challengeOf(
  { response: { clientDataJSON } }: Registration | Assertion,
  { readChallenge }: Expected,
): { readonly encoded: string; readonly read: ReadChallenge } {
  const data = read(clientData(), Buffer.from(clientDataJSON, 'base64url').toString());
  const known = readChallenge(data.challenge);
  if (known === null) throw new AppError('invalid_passkey', 'This took longer than five minutes. Try again.');
  return { encoded: data.challenge, read: known };
}

/**
 * An attestation object without the statement of who has made the authenticator: none is asked for, and what is sent even
 * so proves nothing that is needed here. Throws `invalid_passkey`.
 */
function withoutStatement(attestationObject: string): string {
  try {
    const sent = isoCBOR.decodeFirst<Map<string, unknown>>(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const authData = sent.get('authData');
    if (!(authData instanceof Uint8Array)) throw new TypeError('there is no authenticator data');
    const kept = new Map<string, string | Uint8Array | Map<string, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ]);
    return Buffer.from(isoCBOR.encode(kept)).toString('base64url');
  } catch (cause) {
    throw invalidPasskey(cause);
  }
}

// The library throws plain errors, whose sentences are for programmers.
async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw invalidPasskey(cause);
  }
}

/** A passkey that is not accepted: which check has failed would help only an attacker. */
export function invalidPasskey(cause?: unknown): AppError {
  return new AppError('invalid_passkey', 'This passkey is not valid here.', { cause });
}

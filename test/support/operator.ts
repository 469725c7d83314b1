import { generateTokenKey } from '../../src/tokens/keys.ts';
import { type TokenKey, publicHalf } from '../../src/secrets/jwks.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { openIsolate, ORIGIN, type Call } from './service.ts';

/** The host of the service under test, which is the audience of its tokens. */
export const HOST = new URL(ORIGIN).host;

export interface Operator {
  readonly key: TokenKey;
  /** An isolate with the public key. */
  readonly call: Call;
  /** Sends a command, like the operator's tools. */
  readonly ask: (command: string, fields?: object) => Promise<Response>;
  /** Sends a token, and returns the answer. */
  readonly show: (
    token: string | null,
    init?: { readonly body?: BodyInit; readonly command?: string },
  ) => Promise<Response>;
}

/** An isolate with an operator's surface, and a caller with its key. */
export async function openOperator(settings: Readonly<Record<string, string>> = {}): Promise<Operator> {
  const key = await generateTokenKey();
  const call = openIsolate({ OPERATOR_KEYS: JSON.stringify([publicHalf(key)]), ...settings });
  const show: Operator['show'] = (token, { body = '{}', command = 'list-users' } = {}) => {
    const headers = { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) };
    return call(`/operator/v1/${command}`, { method: 'POST', headers, body });
  };
  return {
    key,
    call,
    show,
    ask: async (command, fields = {}) =>
      show(await signOperatorToken(key, HOST), { command, body: JSON.stringify(fields) }),
  };
}

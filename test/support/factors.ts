import { TOTP, Secret } from 'otpauth/dist/otpauth.node.mjs';
import { cookiesOf, form, type Browse } from './platform.ts';

/** Second factors as people set them up on the pages. */

/** The code that an app with this seed shows, at an instant in milliseconds since the epoch. */
export const codeAt = (seed: string, now = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: now });

const FACTORS = '/platform/account/factors';

/** The seed of the page that sets an app up, and the field that its form sends back. */
export async function offerOf(browse: Browse): Promise<{ readonly seed: string; readonly sealed: string }> {
  const page = await (await browse(`${FACTORS}/app`)).text();
  return {
    seed: /id="seed"[^>]* value="([A-Z2-7]+)"/.exec(page)?.[1] ?? '',
    sealed: /name="sealed" value="([^"]+)"/.exec(page)?.[1] ?? '',
  };
}

/** Sets an app up by the code of the step before, so that the one of now is left; gives its seed and the recovery codes. */
export async function addApp(browse: Browse): Promise<{ readonly seed: string; readonly codes: readonly string[] }> {
  const { seed, sealed } = await offerOf(browse);
  const send = () => browse(`${FACTORS}/app`, form({ sealed, code: codeAt(seed, Date.now() - 30_000) }));
  const first = await send();
  // The next step may have begun meanwhile.
  const response = first.status === 400 ? await send() : first;
  return { seed, codes: (await response.text()).match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g) ?? [] };
}

/** The field `step` of a page that asks for a code. */
export const stepOf = async (response: Response): Promise<string> =>
  /name="step" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';

/** The cookie by which a browser is known after a whole sign-in. */
export const knownOf = (response: Response): string =>
  `__Host-terse-known=${cookiesOf(response)['__Host-terse-known']?.[0]}`;

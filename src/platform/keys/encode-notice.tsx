import type { EncodeCaller } from '../../accounts/tokens/encode-callers.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { formatCount } from '../kit/numbers.ts';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

const SHOWN = 5;

/** Warns a client whose programs still call `/shortener/encode`, and says what to do; shows nothing if none does. */
export function EncodeNotice({
  session: { encodeCallers, timeZone },
  client,
  cutoffSeconds,
}: {
  session: Session;
  client: OwnClient;
  cutoffSeconds: number | null;
}) {
  const callers = encodeCallers.filter(({ clientId }) => clientId === client.id);
  if (callers.length === 0) return null;
  const rest = callers.length - SHOWN;
  return (
    <section class="notice warning stack" aria-labelledby="encode-notice">
      <h2 id="encode-notice">Programs still call POST /shortener/encode</h2>
      <p>
        <Deadline {...{ cutoffSeconds, timeZone }} /> In the last 7 days it was called by:
      </p>
      <ul>
        {callers.slice(0, SHOWN).map((caller) => (
          <li>
            <strong>
              <bdi>{caller.name}</bdi>
            </strong>
            , {callsOf(caller)}
          </li>
        ))}
        {rest > 0 && <li>and {rest === 1 ? 'one more user' : `${rest} more users`}</li>}
      </ul>
      <p>
        Create an API key for each program. Then send the same form to <code>POST /v1/links</code>, with the header{' '}
        <code>X-API-Key: API_KEY</code> instead of <code>Authorization</code>.
      </p>
      <ButtonLink href={clientPath(client, 'keys/new')} small>
        Create API key
      </ButtonLink>
    </section>
  );
}

function Deadline({ cutoffSeconds, timeZone }: { cutoffSeconds: number | null; timeZone: string }) {
  if (cutoffSeconds === null) return <>It is deprecated.</>;
  const at = <Time at={cutoffSeconds * 1000} timeZone={timeZone} />;
  return cutoffSeconds * 1000 <= Date.now() ? (
    <>Since {at} it refuses tokens of new sign-ins.</>
  ) : (
    <>From {at} on it refuses tokens of new sign-ins.</>
  );
}

function callsOf({ created, refused }: EncodeCaller): string {
  const calls = created + refused;
  const times = calls === 1 ? 'once' : `${formatCount(calls)} times`;
  if (refused === 0) return times;
  return refused === calls ? `${times}, always refused` : `${times}, ${formatCount(refused)} of them refused`;
}

import type { Child } from 'hono/jsx';
import type { EncodeCaller } from '../../accounts/tokens/encode-callers.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { timeIn } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { personName } from '../person-name.ts';
import { useWords, type PageWords } from '../words.tsx';

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
  const words = useWords();
  const { text, content } = words;
  return (
    <section class="notice warning stack" aria-labelledby="encode-notice">
      <h2 id="encode-notice">{text('keys.encode')}</h2>
      <p>{deadline(words, cutoffSeconds, timeZone)}</p>
      <ul>
        {callers.slice(0, SHOWN).map((caller) => (
          <li>{callsOf(words, caller)}</li>
        ))}
        {rest > 0 && <li>{text('keys.moreUsers', { count: rest })}</li>}
      </ul>
      <p>{content('keys.encodeInstead', {})}</p>
      <ButtonLink href={clientPath(client, 'keys/new')} small>
        {text('kit.createKey')}
      </ButtonLink>
    </section>
  );
}

function deadline(words: PageWords, cutoffSeconds: number | null, timeZone: string): Child {
  if (cutoffSeconds === null) return words.text('keys.encodeDeprecated');
  const at = timeIn(words, cutoffSeconds * 1000, timeZone);
  return cutoffSeconds * 1000 <= Date.now()
    ? words.content('keys.encodeSince', at)
    : words.content('keys.encodeFrom', at);
}

function callsOf(words: PageWords, { created, refused, ...caller }: EncodeCaller): Child {
  const { content } = words;
  const name = personName(words, caller.name, caller.given);
  const count = created + refused;
  if (refused === 0) return content('keys.calls', { name, count });
  return refused === count
    ? content('keys.callsRefused', { name, count })
    : content('keys.callsPartRefused', { name, count, refused });
}

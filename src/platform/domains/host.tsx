import { displayHost } from '../links/display-url.ts';

/** A host name as people read it, with the encoded one as its title if that differs. */
export function Host({ host }: { host: string }) {
  const readable = displayHost(host);
  return readable === host ? <>{host}</> : <bdi title={host}>{readable}</bdi>;
}

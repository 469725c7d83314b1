import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Proof } from '../../domains/check-proof.ts';
import type { SetUp } from '../../domains/custom-hostnames.ts';
import { txtRecordOf, type Domain } from '../../domains/domain.ts';
import { Icon } from '../../design/icon.tsx';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CopyIcon } from '../kit/copy.tsx';
import { Badge } from '../kit/notice.tsx';
import { displayHost, withReadableHosts } from '../links/display-url.ts';
import { Host } from './host.tsx';

interface SetupProps {
  readonly domain: Domain;
  /** The host name that the domain must be an alias of. */
  readonly target: string;
  readonly setUp: SetUp;
  /** The findings of a check just now; null before the first. */
  readonly proof: Proof | null;
  /** The path of the form that checks; null for members, who cannot. */
  readonly verifyPath: string | null;
}

/** The way of a domain until it is active, in three steps; with scripts they check themselves while the page is seen. */
export function Setup({ domain, target, setUp, proof, verifyPath }: SetupProps) {
  const txt = txtRecordOf(domain);
  const [isOwned, isServed] = [proof?.dns === 'ok', proof?.http === 'ok'];
  return (
    <section class="setup" id="setup" aria-labelledby="setup-title" data-checks={verifyPath ?? undefined}>
      <h2 id="setup-title">
        Set up <Host host={domain.host} />
      </h2>
      <ol class="setup-steps">
        <Step number={1} title="It is yours" isDone={isOwned} isNext={!isOwned}>
          <p>Where you bought the domain, add this record. It proves that the domain belongs to you.</p>
          <Record type="TXT" name={txt.name} value={txt.value} />
          <Finding proof={proof} isDone={isOwned}>
            {proof && dnsAdvice(domain, proof)}
          </Finding>
        </Step>
        <Step number={2} title="Point it here" isDone={isServed} isNext={isOwned && !isServed}>
          <p>This record sends visitors of the domain to this service. Most see it within ten minutes.</p>
          <Record type="CNAME" name={domain.host} value={target} />
          <p class="quiet">
            A root domain such as example.com cannot have a CNAME record: use an ALIAS, ANAME or flattened CNAME record
            instead.
          </p>
          <Finding proof={proof} isDone={isServed}>
            {proof && httpAdvice(domain, proof, target)}
          </Finding>
          <Operator host={domain.host} setUp={setUp} />
        </Step>
        <Step number={3} title="A safe connection" isDone={isServed} isNext={false}>
          <p>The certificate of the domain is created by itself after step 2.</p>
        </Step>
      </ol>
      {verifyPath !== null && (
        <form class="actions" method="post" action={verifyPath}>
          <Button>Check now</Button>
          <a class="button quiet" href={mailOf(domain, target)}>
            <Icon name="mail" />
            Send to a colleague
          </a>
        </form>
      )}
      <p class="quiet" role="status" data-checking></p>
    </section>
  );
}

function Step({
  number,
  title,
  isDone,
  isNext,
  children,
}: PropsWithChildren<{ number: number; title: string; isDone: boolean; isNext: boolean }>) {
  return (
    <li class={isDone ? 'setup-step setup-done' : isNext ? 'setup-step setup-next' : 'setup-step'}>
      <span class="setup-number" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div class="setup-words">
        <h3>
          {title}
          {isDone && <span class="unseen">: done</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** A DNS record, each part with a button that copies it. */
export function Record({ type, name, value }: { type: string; name: string; value: string }) {
  return (
    <dl class="dns">
      <div>
        <dt>Type</dt>
        <dd>{type}</dd>
      </div>
      {(
        [
          ['Name', name],
          ['Value', value],
        ] as const
      ).map(([term, text]) => (
        <div>
          <dt>{term}</dt>
          <dd>
            <span dir="ltr" title={text}>
              {withReadableHosts(text)}
            </span>
            <CopyIcon text={text} label={`Copy ${type} ${term.toLowerCase()}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Finding({ proof, isDone, children }: { proof: Proof | null; isDone: boolean; children: Child }) {
  if (proof === null) return null;
  return (
    <p>
      <Badge kind={isDone ? 'success' : 'danger'}>{isDone ? 'Done' : 'Not yet'}</Badge> {children}
    </p>
  );
}

function Operator({ host, setUp }: { host: string; setUp: SetUp }) {
  if (setUp === 'automatic') return null;
  if (setUp === 'refused') return <p>Cloudflare has not accepted the domain yet. Check it again to retry.</p>;
  const text = `Please add ${host} to our short links. In the folder of the service, run this command once:\n\nnpm run deploy -- --domain ${host}`;
  return (
    <>
      <p>The operator of this service must add the domain too. Send them this text:</p>
      <CodeBlock id="operator-text" label="Text for the operator" code={text} />
    </>
  );
}

function mailOf(domain: Domain, target: string): string {
  const { name, value } = txtRecordOf(domain);
  const lines = [
    `Please add these two DNS records for ${domain.host}:`,
    '',
    `TXT ${name} ${value}`,
    `CNAME ${domain.host} ${target}`,
  ];
  const query = { subject: `DNS records for ${domain.host}`, body: lines.join('\r\n') };
  return `mailto:?${Object.entries(query)
    .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
    .join('&')}`;
}

function dnsAdvice(domain: Domain, { dns }: Proof): string {
  const { name, value } = txtRecordOf(domain);
  const missing = `There is no TXT record ${name}. A new record can take up to an hour to become visible.`;
  return {
    ok: 'The TXT record is correct.',
    no_such_name: missing,
    no_record: missing,
    other_value: `The TXT record ${name} has a different value. Set it to ${value}.`,
    server_failure: `The name servers of ${displayHost(domain.host)} returned an error. Check the delegation and DNSSEC of the domain.`,
  }[dns];
}

function httpAdvice({ host }: Domain, { http }: Proof, target: string): string {
  const set = `Set the CNAME record ${host} to ${target}, without a proxy in front of it.`;
  const name = displayHost(host);
  return {
    ok: 'The host points to this service.',
    unreachable: `https://${name} does not respond. ${set} A new certificate can take a few minutes.`,
    redirected: `https://${name} redirects to another address. ${set}`,
    other_service: `https://${name} is served by another service. ${set}`,
    private_address: `${name} resolves to a private IP address. ${set}`,
  }[http];
}

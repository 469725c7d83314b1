import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Proof } from '../../domains/check-proof.ts';
import type { SetUp } from '../../domains/custom-hostnames.ts';
import { txtRecordOf, type Domain } from '../../domains/domain.ts';
import { Icon } from '../../design/icon.tsx';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CopyIcon } from '../kit/copy.tsx';
import { Badge } from '../kit/notice.tsx';
import { displayHost, withReadableHosts } from '../links/display-url.ts';
import { useWords, type PageWords } from '../words.tsx';
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
  const words = useWords();
  const { text } = words;
  const txt = txtRecordOf(domain);
  const [isOwned, isServed] = [proof?.dns === 'ok', proof?.http === 'ok'];
  return (
    <section class="setup" id="setup" aria-labelledby="setup-title" data-checks={verifyPath ?? undefined}>
      <h2 id="setup-title">
        {words.content('domains.setUpThis', {
          host: displayHost(domain.host),
          shown: () => <Host host={domain.host} />,
        })}
      </h2>
      <ol class="setup-steps">
        <Step number={1} title={text('domains.owned')} isDone={isOwned} isNext={!isOwned}>
          <p>{text('domains.ownedHint')}</p>
          <Record type="TXT" name={txt.name} value={txt.value} />
          <Finding proof={proof} isDone={isOwned}>
            {proof && dnsAdvice(words, domain, proof)}
          </Finding>
        </Step>
        <Step number={2} title={text('domains.served')} isDone={isServed} isNext={isOwned && !isServed}>
          <p>{text('domains.servedHint')}</p>
          <Record type="CNAME" name={domain.host} value={target} />
          <p class="quiet">{text('domains.servedRoot')}</p>
          <Finding proof={proof} isDone={isServed}>
            {proof && httpAdvice(words, domain, proof, target)}
          </Finding>
          <Operator host={domain.host} setUp={setUp} />
        </Step>
        <Step number={3} title={text('domains.secured')} isDone={isServed} isNext={false}>
          <p>{text('domains.securedHint')}</p>
        </Step>
      </ol>
      {verifyPath !== null && (
        <form class="actions" method="post" action={verifyPath}>
          <Button>{text('domains.checkNow')}</Button>
          <a class="button quiet" href={mailOf(words, domain, target)}>
            <Icon name="mail" />
            {text('domains.toColleague')}
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
  const { content } = useWords();
  return (
    <li class={isDone ? 'setup-step setup-done' : isNext ? 'setup-step setup-next' : 'setup-step'}>
      <span class="setup-number" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div class="setup-words">
        <h3>
          {isDone
            ? content('domains.stepDone', { title, unseen: (inside) => <span class="unseen">{inside}</span> })
            : title}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** A DNS record, each part with a button that copies it. */
export function Record({ type, name, value }: { type: string; name: string; value: string }) {
  const { text } = useWords();
  return (
    <dl class="dns">
      <div>
        <dt>{text('domains.recordType')}</dt>
        <dd>{type}</dd>
      </div>
      {(
        [
          ['domains.recordName', 'domains.copyName', name],
          ['domains.recordValue', 'domains.copyValue', value],
        ] as const
      ).map(([term, copy, part]) => (
        <div>
          <dt>{text(term)}</dt>
          <dd>
            <span dir="ltr" title={part}>
              {withReadableHosts(part)}
            </span>
            <CopyIcon text={part} label={text(copy, { type })} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Finding({ proof, isDone, children }: { proof: Proof | null; isDone: boolean; children: Child }) {
  const { text } = useWords();
  if (proof === null) return null;
  return (
    <p>
      <Badge kind={isDone ? 'success' : 'danger'}>{text(isDone ? 'domains.done' : 'domains.notYet')}</Badge> {children}
    </p>
  );
}

function Operator({ host, setUp }: { host: string; setUp: SetUp }) {
  const { text } = useWords();
  if (setUp === 'automatic') return null;
  if (setUp === 'refused') return <p>{text('domains.notAccepted')}</p>;
  const code = `${text('domains.operatorAsks', { host })}\n\nnpm run deploy -- --domain ${host}`;
  return (
    <>
      <p>{text('domains.byOperator')}</p>
      <CodeBlock id="operator-text" label={text('domains.operatorText')} code={code} />
    </>
  );
}

function mailOf({ text }: PageWords, domain: Domain, target: string): string {
  const txt = txtRecordOf(domain);
  const lines = [
    text('domains.mailAsks', { host: domain.host }),
    '',
    `TXT ${txt.name} ${txt.value}`,
    `CNAME ${domain.host} ${target}`,
  ];
  const query = { subject: text('domains.mailSubject', { host: domain.host }), body: lines.join('\r\n') };
  return `mailto:?${Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

function dnsAdvice({ text }: PageWords, domain: Domain, { dns }: Proof): string {
  const { name, value } = txtRecordOf(domain);
  switch (dns) {
    case 'ok':
      return text('domains.txtFound');
    case 'no_such_name':
    case 'no_record':
      return text('domains.txtMissing', { name });
    case 'other_value':
      return text('domains.txtOther', { name, value });
    default:
      return text('domains.serversFailed', { host: displayHost(domain.host) });
  }
}

const OF_HTTP = {
  unreachable: 'domains.hostUnreachable',
  redirected: 'domains.hostRedirected',
  other_service: 'domains.hostElsewhere',
  private_address: 'domains.hostPrivate',
} as const;

function httpAdvice({ text }: PageWords, { host }: Domain, { http }: Proof, target: string): string {
  return http === 'ok'
    ? text('domains.hostFound')
    : text(OF_HTTP[http], { name: displayHost(host), host, value: target });
}

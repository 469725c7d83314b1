import type { ManagedLink } from '../../../links/managed-link.ts';
import type { ResolvedVisit } from '../../../links/visit/resolve-visit.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button } from '../../kit/button.tsx';
import { Field, Select } from '../../kit/form.tsx';
import { Badge } from '../../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../../kit/section.tsx';
import { NamedDestination } from '../destination.tsx';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { AGENT_OPTIONS } from './preview-visitors.ts';

/** The fields of the form. */
export const TRY_FIELDS = [
  'agent',
  'country',
  'region',
  'language',
  'referrer',
  'address',
  'query',
  'path',
  'at',
] as const;

/** The outcome for a visitor of a link, and why. */
export function TryPage({
  client,
  link,
  form,
  resolved,
  shortUrl,
  timeZone,
}: {
  client: OwnClient;
  link: ManagedLink;
  form: FormState;
  /** Null before the form was sent. */
  resolved: ResolvedVisit | null;
  shortUrl: string;
  timeZone: string;
}) {
  const path = linkPath(client, link.id);
  return (
    <>
      <PageHeader
        title="Try it"
        lead="What a visitor gets, and why. Nothing is counted."
        crumb={{ href: path, label: displayUrl(shortUrl) }}
      />
      {resolved && <Result resolved={resolved} />}
      <Section id="visitor" title="Visitor" hint="Empty fields count as unknown.">
        <TryForm {...{ form, path, link, timeZone }} />
      </Section>
    </>
  );
}

/** Asks for a visitor, on the page of a link too. */
export function TryForm({
  form,
  path,
  link,
  timeZone,
}: {
  form: FormState;
  /** The path of the link's page. */
  path: string;
  link: ManagedLink;
  timeZone: string;
}) {
  const shared = { form, optional: true } as const;
  return (
    <form class="form" method="get" action={`${path}/try`} novalidate>
      <div class="pairs">
        <Select form={form} name="agent" label="Device and browser" options={AGENT_OPTIONS} />
        <Field {...shared} name="country" label="Country" placeholder="DE" spellcheck={false} />
        <Field {...shared} name="region" label="Region" placeholder="US-TX" spellcheck={false} />
        <Field {...shared} name="language" label="Language" placeholder="de-AT" spellcheck={false} />
        <Field {...shared} name="referrer" type="url" label="Referrer" placeholder="https://example.com/" code />
        <Field {...shared} name="address" label="IP address" placeholder="192.0.2.1" spellcheck={false} code />
        <Field {...shared} name="query" label="Query" placeholder="ref=poster" spellcheck={false} code />
        {link.forwardPath === true && (
          <Field {...shared} name="path" label="Path after the slug" spellcheck={false} code />
        )}
        <Field
          {...shared}
          name="at"
          type="datetime-local"
          label="Time"
          hint={`Now if empty. Time in ${timeZone.replaceAll('_', ' ')}.`}
        />
      </div>
      <Actions>
        <Button kind="quiet">Try it</Button>
      </Actions>
    </form>
  );
}

const REASONS: Readonly<Record<ResolvedVisit['reason'], string>> = {
  domain: 'The domain of the link has not been verified.',
  path: 'There is no link at this path.',
  deleted: 'The link has been deleted.',
  disabled: 'The link is disabled.',
  not_started: 'The link has not started yet.',
  expired: 'The link has expired.',
  password: 'The visitor is asked for the password.',
  preview: 'The visitor is a link preview, and gets the texts for it.',
  limit: 'The link has a click limit, and is not followed by programs.',
  blocked: 'The operator of this service has blocked the website of the destination.',
  ask_first: 'The visitor sees the website of the destination, and a button that leads there.',
  fallback: 'The visitor gets a page that opens the app, or continues to the fallback.',
  redirect: 'The visitor is redirected.',
};

function Result({ resolved }: { resolved: ResolvedVisit }) {
  const { status, location, reason, takesClick, destination, rules } = resolved;
  return (
    <Section id="result" title="Result">
      <Facts
        facts={[
          {
            term: 'Response',
            value: <>{`${REASONS[reason]}${takesClick ? ' It takes one click of the limit.' : ''}`}</>,
          },
          { term: 'Status', value: <>{status}</> },
          ...(location === null ? [] : [{ term: 'Leads to', value: <NamedDestination href={location} /> }]),
          { term: 'Chosen by', value: <ChosenBy {...destination} /> },
        ]}
      />
      {rules.length > 0 && (
        <ol class="tried">
          {rules.map((rule) => (
            <li>
              <strong>
                <bdi>{rule.name}</bdi>
              </strong>{' '}
              <Held holds={rule.holds} />
              <ul>
                {rule.conditions.map(({ text, holds }) => (
                  <li>
                    <Held holds={holds} /> <span class="broken">{text}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function ChosenBy({ by, name, url }: ResolvedVisit['destination']) {
  if (by === 'default') return <>The destination of the link</>;
  return (
    <>
      The {by} <bdi>{name}</bdi>: <NamedDestination href={url} />
    </>
  );
}

const Held = ({ holds }: { holds: boolean }) =>
  holds ? <Badge kind="success">Holds</Badge> : <Badge>Does not hold</Badge>;

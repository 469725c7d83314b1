import type { ManagedLink } from '../../../links/managed-link.ts';
import type { Condition } from '../../../links/routes/conditions/table.ts';
import type { ResolvedVisit } from '../../../links/visit/resolve-visit.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button } from '../../kit/button.tsx';
import { Field, Select } from '../../kit/form.tsx';
import { Badge } from '../../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../../kit/section.tsx';
import { storedParts } from '../form/parts.ts';
import { wordsOfCondition } from '../routes/condition-words.ts';
import { NamedDestination } from '../destination.tsx';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { useWords, type PageWords, type PlainKey } from '../../words.tsx';
import { agentOptions } from './preview-visitors.ts';

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
  const { text } = useWords();
  const path = linkPath(client, link.id);
  return (
    <>
      <PageHeader
        title={text('linkPage.tryIt')}
        lead={text('linkPage.tryLead')}
        crumb={{ href: path, label: displayUrl(shortUrl) }}
      />
      {resolved && <Result {...{ link, resolved }} />}
      <Section id="visitor" title={text('linkPage.visitor')} hint={text('linkPage.visitorHint')}>
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
  const words = useWords();
  const { text } = words;
  const shared = { form, optional: true } as const;
  return (
    <form class="form" method="get" action={`${path}/try`} novalidate>
      <div class="pairs">
        <Select form={form} name="agent" label={text('linkPage.agent')} options={agentOptions(words)} />
        <Field {...shared} name="country" label={text('linkPage.country')} placeholder="DE" spellcheck={false} />
        <Field {...shared} name="region" label={text('linkPage.region')} placeholder="US-TX" spellcheck={false} />
        <Field {...shared} name="language" label={text('linkPage.language')} placeholder="de-AT" spellcheck={false} />
        <Field
          {...shared}
          name="referrer"
          type="url"
          label={text('linkPage.referrer')}
          placeholder="https://example.com/"
          code
        />
        <Field
          {...shared}
          name="address"
          label={text('linkPage.address')}
          placeholder="192.0.2.1"
          spellcheck={false}
          code
        />
        <Field
          {...shared}
          name="query"
          label={text('linkPage.query')}
          placeholder="ref=poster"
          spellcheck={false}
          code
        />
        {link.forwardPath === true && (
          <Field {...shared} name="path" label={text('linkPage.path')} spellcheck={false} code />
        )}
        <Field
          {...shared}
          name="at"
          type="datetime-local"
          label={text('linkPage.time')}
          hint={text('linkPage.timeHint', { zone: timeZone.replaceAll('_', ' ') })}
        />
      </div>
      <Actions>
        <Button kind="quiet">{text('linkPage.tryIt')}</Button>
      </Actions>
    </form>
  );
}

const REASONS: Readonly<Record<ResolvedVisit['reason'], PlainKey>> = {
  domain: 'linkPage.becauseDomain',
  path: 'linkPage.becausePath',
  deleted: 'linkPage.becauseDeleted',
  disabled: 'linkPage.becauseDisabled',
  not_started: 'linkPage.becauseNotStarted',
  expired: 'linkPage.becauseExpired',
  password: 'linkPage.becausePassword',
  preview: 'linkPage.becausePreview',
  limit: 'linkPage.becauseLimit',
  blocked: 'linkPage.becauseBlocked',
  ask_first: 'linkPage.becauseAskFirst',
  fallback: 'linkPage.becauseFallback',
  redirect: 'linkPage.becauseRedirect',
};

/** The reasons of the visits that can take a click of the limit, as they are if one does. */
const TAKING: Readonly<Partial<typeof REASONS>> = {
  fallback: 'linkPage.fallbackTakesClick',
  redirect: 'linkPage.redirectTakesClick',
};

function Result({ link, resolved }: { link: ManagedLink; resolved: ResolvedVisit }) {
  const words = useWords();
  const { text } = words;
  const stored = storedParts(link).rules;
  const { status, location, reason, takesClick, destination, rules } = resolved;
  const response = (takesClick ? TAKING[reason] : undefined) ?? REASONS[reason];
  return (
    <Section id="result" title={text('linkPage.result')}>
      <Facts
        facts={[
          { term: text('linkPage.response'), value: <>{text(response)}</> },
          { term: text('linkPage.status'), value: <>{status}</> },
          ...(location === null
            ? []
            : [{ term: text('linkPage.goesTo'), value: <NamedDestination href={location} /> }]),
          { term: text('linkPage.chosenBy'), value: <ChosenBy {...destination} /> },
        ]}
      />
      {rules.length > 0 && (
        <ol class="tried">
          {rules.map((rule, place) => (
            <li>
              <strong>
                <bdi>{rule.name}</bdi>
              </strong>{' '}
              <Held holds={rule.holds} />
              <ul>
                {rule.conditions.map(({ text: inEnglish, holds }, index) => (
                  <li>
                    <Held holds={holds} />{' '}
                    <span class="broken">{sentenceOf(words, stored[place]?.if[index]) ?? inEnglish}</span>
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

// The link may have been changed since the visit was resolved.
const sentenceOf = (words: PageWords, condition: Condition | undefined): string | null =>
  condition === undefined ? null : wordsOfCondition(words, condition);

function ChosenBy({ by, name, url }: ResolvedVisit['destination']) {
  const { text, content } = useWords();
  if (by === 'default') return <>{text('linkPage.byDefault')}</>;
  const values = { name, url, to: () => <NamedDestination href={url} /> };
  return <>{by === 'rule' ? content('linkPage.byRule', values) : content('linkPage.byVariant', values)}</>;
}

function Held({ holds }: { holds: boolean }) {
  const { text } = useWords();
  return holds ? <Badge kind="success">{text('linkPage.holds')}</Badge> : <Badge>{text('linkPage.holdsNot')}</Badge>;
}

import { Icon } from '../../../design/icon.tsx';
import { newForm } from '../../forms/form.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { Actions, ButtonLink } from '../../kit/button.tsx';
import { controlId } from '../../kit/fault-and-hint.tsx';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Facts, Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
import { factsOf, type UnsetField } from './facts.tsx';
import { LinkFrame, type OfLink } from './link-frame.tsx';
import { addressWith } from '../list/list-query.ts';
import { useWords } from '../../words.tsx';
import { linkPath } from '../paths.ts';
import { TryForm } from './try-page.tsx';

/**
 * The details of a link.
 *
 * @param clicksLeft how many clicks of its limit are left; null without a limit, or if that is not known
 */
export function LinkDetails({ clicksLeft, ...props }: OfLink & { clicksLeft: number | null }) {
  const words = useWords();
  const { text } = words;
  const { client, link, shortUrl, timeZone } = props;
  const path = linkPath(client, link.id);
  const isDeleted = link.state === 'deleted';
  const { facts, forDevelopers, unset, unsetForDevelopers } = factsOf(words, { link, shortUrl, timeZone, clicksLeft });
  return (
    <LinkFrame {...props} tab="details">
      <Section id="details" title={text('linkPage.details')}>
        <Facts facts={facts} />
        {!isDeleted && (
          <Actions>
            <ButtonLink href={addressWith(clientPath(client, 'links'), {}, { url: link.url })}>
              {text('linkPage.sameDestination')}
            </ButtonLink>
          </Actions>
        )}
      </Section>
      {!isDeleted && (
        <Section id="add" title={text('linkPage.add')} hint={text('linkPage.addHint')}>
          <Addable fields={unset} path={path} />
        </Section>
      )}
      <Section id="developers" title={text('linkPage.developers')}>
        <Facts facts={forDevelopers} />
        {!isDeleted && <Addable fields={unsetForDevelopers} path={path} />}
      </Section>
      {!isDeleted && (
        <Section id="try" title={text('linkPage.tryIt')} hint={text('linkPage.tryLead')}>
          <Disclosure label={text('linkPage.chooseVisitor')} open={false}>
            <TryForm form={newForm()} {...{ path, link, timeZone }} />
          </Disclosure>
        </Section>
      )}
      {!isDeleted && <Aliases link={link} path={path} />}
    </LinkFrame>
  );
}

/**
 * Fields that have nothing yet, each a link to its place in the form.
 *
 * @param path that of the link's page
 */
function Addable({ fields, path }: { fields: readonly UnsetField[]; path: string }) {
  if (fields.length === 0) return null;
  return (
    <ul class="addable">
      {fields.map(({ name, label }) => (
        <li>
          <a href={`${path}/edit#${controlId(name)}`}>
            <Icon name="plus" />
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Aliases({ link, path }: { link: ManagedLink; path: string }) {
  const { text } = useWords();
  return (
    <Section id="aliases" title={text('linkPage.aliases')} hint={text('linkPage.aliasesHint')}>
      {link.aliases.length === 0 ? (
        <p class="quiet">{text('linkPage.noAliases')}</p>
      ) : (
        <Table
          caption={text('linkPage.aliases')}
          rows={link.aliases}
          columns={[
            { label: text('linkPage.alias'), isWide: true, cell: (alias) => <code class="broken">{alias}</code> },
            {
              label: text('kit.actions'),
              isActions: true,
              cell: (alias) => (
                <ButtonLink
                  href={`${path}/aliases/${encodeURIComponent(alias)}/remove`}
                  label={text('linkPage.removeThis', { alias })}
                  small
                  confirms
                >
                  {text('linkPage.remove')}
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

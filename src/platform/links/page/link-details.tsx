import { Icon } from '../../../design/icon.tsx';
import { newForm } from '../../forms/form.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { Actions, ButtonLink } from '../../kit/button.tsx';
import { controlId } from '../../kit/fault-and-hint.tsx';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Facts, Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
import { factsOf } from './facts.tsx';
import { LinkFrame, type OfLink } from './link-frame.tsx';
import { addressWith } from '../list/list-query.ts';
import { linkPath } from '../paths.ts';
import { TryForm } from './try-page.tsx';

/**
 * The details of a link.
 *
 * @param clicksLeft how many clicks of its limit are left; null without a limit, or if that is not known
 */
export function LinkDetails({ clicksLeft, ...props }: OfLink & { clicksLeft: number | null }) {
  const { client, link, shortUrl, timeZone } = props;
  const path = linkPath(client, link.id);
  const isDeleted = link.state === 'deleted';
  const { facts, forDevelopers, unset } = factsOf({ link, shortUrl, timeZone, clicksLeft });
  return (
    <LinkFrame {...props} tab="details">
      <Section id="details" title="Details">
        <Facts facts={facts} />
        {!isDeleted && (
          <Actions>
            <ButtonLink href={addressWith(clientPath(client, 'links'), {}, { url: link.url })}>
              All links to this destination
            </ButtonLink>
          </Actions>
        )}
      </Section>
      {!isDeleted && (
        <Section id="add" title="Add" hint="What this link can have too.">
          <ul class="addable">
            {unset.map(({ name, label }) => (
              <li>
                <a href={`${path}/edit#${controlId(name)}`}>
                  <Icon name="plus" />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="developers" title="For developers">
        <Facts facts={forDevelopers} />
      </Section>
      {!isDeleted && (
        <Section id="try" title="Try it" hint="What a visitor gets, and why. Nothing is counted.">
          <Disclosure label="Choose a visitor" open={false}>
            <TryForm form={newForm()} {...{ path, link, timeZone }} />
          </Disclosure>
        </Section>
      )}
      {!isDeleted && <Aliases link={link} path={path} />}
    </LinkFrame>
  );
}

function Aliases({ link, path }: { link: ManagedLink; path: string }) {
  return (
    <Section
      id="aliases"
      title="Aliases"
      hint="Previous slugs that still lead here. Changing the slug adds the old one to this list."
    >
      {link.aliases.length === 0 ? (
        <p class="quiet">No aliases.</p>
      ) : (
        <Table
          caption="Aliases"
          rows={link.aliases}
          columns={[
            { label: 'Alias', isWide: true, cell: (alias) => <code class="broken">{alias}</code> },
            {
              label: 'Actions',
              isActions: true,
              cell: (alias) => (
                <ButtonLink
                  href={`${path}/aliases/${encodeURIComponent(alias)}/remove`}
                  label={`Remove the alias ${alias}`}
                  small
                  confirms
                >
                  Remove
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

import type { Child } from 'hono/jsx';
import { useWords } from '../words.tsx';
import { Button, ButtonLink } from './button.tsx';
import { EmptyState } from './notice.tsx';
import { RowMenu, type Act } from './row-menu.tsx';
import { PageHeader } from './section.tsx';
import { Pager } from './table.tsx';

/** The style sheet of these lists. */
export const SETTINGS_STYLES = ['settings.css'] as const;

/** A thing of a list of settings. */
export interface Setting {
  /** The path of its page, if it has one. */
  readonly href?: string;
  readonly name: Child;
  /** The name as a text: the whole of it, if the row cuts it, and for the menu. */
  readonly title: string;
  /** Badges. */
  readonly state?: Child;
  /** The rest, on one line: what counts most first, since a narrow screen cuts the end. */
  readonly facts: readonly Child[];
  /** The actions of its menu; what ends it comes last. */
  readonly acts: readonly Act[];
}

/** Rows of one height, on a page of their own or in a section. @param label for screen readers */
export function SettingRows({ label, settings }: { label: string; settings: readonly Setting[] }) {
  return (
    <ul class="settings-list" aria-label={label}>
      {settings.map(({ href, name, title, state, facts, acts }) => (
        <li class="setting">
          <div>
            <div class="setting-name">
              {href === undefined ? (
                <b class="cut" title={title}>
                  {name}
                </b>
              ) : (
                <a class="cut" dir="auto" title={title} href={href}>
                  {name}
                </a>
              )}
              {state}
            </div>
            <div class="setting-facts cut">{separated(facts)}</div>
          </div>
          {acts.length > 0 && <RowMenu name={title} acts={acts} />}
        </li>
      ))}
    </ul>
  );
}

const separated = (facts: readonly Child[]) =>
  facts.map((fact, at) => (
    <>
      {at > 0 && ' · '}
      {fact}
    </>
  ));

/** A page of settings that lists things of one kind: what they are for, how many there are, and how to get one more. */
export function SettingsList({
  title,
  lead,
  crumb,
  settings,
  action,
  empty,
  filter,
  pages = { next: null, first: null },
  children,
}: {
  title: string;
  /** A sentence about what these things are for. */
  lead: Child;
  /** The way back, for a page below another one. */
  crumb?: { readonly href: string; readonly label: string };
  settings: readonly Setting[];
  /** The path of the form for one more, and its label; null for those who may not create one. */
  action: { readonly href: string; readonly label: string } | null;
  /** The text of an empty list, and a form in place of the action; for lists that can be empty. */
  empty?: { readonly title: string; readonly text: Child; readonly action?: Child };
  /** The text that the names contain, '' if they are not filtered; none where there are never many. */
  readonly filter?: string;
  pages?: { readonly next: string | null; readonly first: string | null };
  /** A notice between the heading and the list. */
  children?: Child;
}) {
  const { text } = useWords();
  const button = action && (
    <ButtonLink href={action.href} kind="primary">
      {action.label}
    </ButtonLink>
  );
  const isFiltered = filter !== undefined && filter !== '';
  const isEmpty = empty && settings.length === 0 && !isFiltered && pages.first === null;
  const areMany = settings.length > FEW || pages.next !== null || pages.first !== null;
  return (
    <>
      <PageHeader
        title={
          <>
            {title} <Count shown={settings.length} {...pages} />
          </>
        }
        lead={lead}
        {...(crumb && { crumb })}
        actions={!isEmpty && button}
      />
      {children}
      {filter !== undefined && (areMany || isFiltered) && <Filter filter={filter} title={title} />}
      {isEmpty ? (
        <EmptyState title={empty.title} action={empty.action ?? button}>
          {empty.text}
        </EmptyState>
      ) : settings.length === 0 ? (
        <p class="quiet">{isFiltered ? text('kit.noName') : text('kit.emptyPage')}</p>
      ) : (
        <SettingRows label={title} settings={settings} />
      )}
      <Pager {...pages} />
    </>
  );
}

/** As many as a person takes in without a filter. */
const FEW = 20;

/** A form that is sent to its own page. */
function Filter({ filter, title }: { filter: string; title: string }) {
  const { text } = useWords();
  return (
    <form class="setting-filter" method="get" role="search">
      <input
        type="search"
        name="q"
        value={filter}
        aria-label={text('kit.filterByName', { title })}
        placeholder={text('kit.name')}
      />
      <Button kind="quiet">{text('kit.filter')}</Button>
      {filter !== '' && <ButtonLink href="?">{text('kit.showAll')}</ButtonLink>}
    </form>
  );
}

/** The number of things, as far as it is known: a page of several does not count those of the others. */
function Count({ shown, next, first }: { shown: number; next: string | null; first: string | null }) {
  if (shown === 0 || first !== null) return null;
  return <span class="setting-count">{next === null ? shown : `${shown}+`}</span>;
}

import type { Child } from 'hono/jsx';
import type { Dimension } from '../../clicks/report.ts';
import type { IconName } from '../../design/icon-names.ts';
import { Icon } from '../../design/icon.tsx';
import { isolated } from '../bidi.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { displayUrl } from '../links/display-url.ts';
import { linkPath } from '../links/paths.ts';
import { useWords, type PageWords } from '../words.tsx';
import { nameOf } from './cards.ts';
import type { NamedLink, Statistics } from './read-statistics.ts';
import { addressOf, withFilter } from './view.ts';

/** The name of a value of a breakdown, as a link that adds it to the filters, unless it is one of them. */
export function Value({
  statistics,
  client,
  dimension,
  value,
}: {
  readonly statistics: Statistics;
  /** Null for a visitor, who is shown no links to other pages. */
  readonly client: OwnClient | null;
  readonly dimension: Dimension;
  readonly value: string | null;
}) {
  const words = useWords();
  const { scope, view, links } = statistics;
  const text = value ?? 'null';
  const link = dimension === 'link' ? links.get(text) : undefined;
  const name = dimension === 'link' ? linkName(words, text, link) : <OtherName {...{ dimension, value }} />;
  const isChosen = view.filters[dimension]?.includes(text) ?? false;
  const isFilter = !isChosen && (dimension !== 'link' || (link && !link.isDeleted));
  const own = client && pageOf(client, dimension, value, link);
  const shown = isFilter ? (
    <a class="row" href={addressOf(scope.path, withFilter(view, dimension, text))}>
      {name}
    </a>
  ) : (
    <span class={isChosen ? 'row' : 'row quiet'}>
      {isChosen
        ? words.content('clicks.filtered', {
            name: () => name,
            unseen: (inside) => <span class="unseen">{inside}</span>,
          })
        : name}
    </span>
  );
  if (!own) return shown;
  return (
    <div class="with-open">
      {shown}
      <a
        class="open"
        href={own.path}
        aria-label={words.text('clicks.openOf', { name: own.name })}
        title={words.text('clicks.open')}
      >
        <Icon name="chevron-right" />
      </a>
    </div>
  );
}

const ICONS: Readonly<Partial<Record<Dimension, Readonly<Record<string, IconName>>>>> = {
  via: { link: 'link', qr: 'qr-code' },
  device: { mobile: 'smartphone', desktop: 'monitor', tablet: 'tablet', bot: 'bot' },
};

function OtherName({ dimension, value }: { dimension: Dimension; value: string | null }): Child {
  const icons = ICONS[dimension];
  const known = value !== null && icons !== undefined && Object.hasOwn(icons, value) ? icons[value] : undefined;
  // A word of `via` that an owner has chosen begins where the others begin.
  const icon = known ?? (dimension === 'via' && value !== null ? 'tag' : undefined);
  return (
    <>
      {dimension === 'country' && value !== null && /^[A-Z]{2}$/.test(value) && value !== 'XX' && (
        <span class="cc" aria-hidden="true">
          {value}
        </span>
      )}
      {icon && <Icon name={icon} />}
      <bdi class="cut">{nameOf(useWords(), dimension, value)}</bdi>
    </>
  );
}

/** The title of a link, or its short link. */
function linkName({ text }: PageWords, id: string, link: NamedLink | undefined): Child {
  if (!link) return text('clicks.deletedLink', { id });
  const shortUrl = displayUrl(link.shortUrl);
  return (
    <bdi class="cut" title={link.title === null ? link.url : shortUrl}>
      {link.title ?? shortUrl}
    </bdi>
  );
}

/** The page that a value has in the workspace, if any. */
function pageOf(client: OwnClient, dimension: Dimension, value: string | null, link: NamedLink | undefined) {
  if (value === null) return null;
  if (link) return { path: linkPath(client, value), name: isolated(link.title ?? displayUrl(link.shortUrl)) };
  return dimension === 'campaign' ? { path: campaignPath(client, value), name: isolated(value) } : null;
}

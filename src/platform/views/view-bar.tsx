import type { Preset } from '../../links/presets/presets.ts';
import type { OwnClient } from '../env.ts';
import type { ListQuery } from '../links/list/list-query.ts';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { contentOf } from './view-query.ts';

/** Above the list of links: the views of the workspace, and a link that saves the filters that are on. */
export function ViewBar({ client, views, query }: { client: OwnClient; views: readonly Preset[]; query: ListQuery }) {
  const { text } = useWords();
  const path = clientPath(client, 'links');
  const content = contentOf(query);
  const open = views.find((view) => view.content === content);
  if (views.length === 0 && content === '') return null;
  return (
    <nav class="views for-screen" aria-label={text('views.title')}>
      <ul class="tabs">
        <li>
          <a href={path} aria-current={content === '' ? 'true' : undefined}>
            {text('views.all')}
          </a>
        </li>
        {views.map((view) => (
          <li>
            <a
              href={`${path}?${view.content}`}
              aria-current={view === open ? 'true' : undefined}
              title={view.name}
              dir="auto"
            >
              {view.name}
            </a>
          </li>
        ))}
      </ul>
      {open && <a href={`${path}/views/${open.id}`}>{text('views.edit')}</a>}
      {!open && content !== '' && <a href={`${path}/views/new?${content}`}>{text('views.save')}</a>}
    </nav>
  );
}

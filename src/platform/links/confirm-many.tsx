import type { ManyAction } from '../../links/edit/edit-many.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { Hidden } from '../kit/form.tsx';
import { shown } from './shown.ts';

/** The labels of the buttons for many links. */
export const MANY_LABELS: Readonly<Record<ManyAction, string>> = {
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
};

const QUESTIONS: Readonly<Record<ManyAction, string>> = {
  disable: 'Visitors see a page that says the link is no longer available, until you enable it again.',
  enable: 'Visitors are redirected to the destination again.',
  delete: 'Visitors see a page that says the link is no longer available. You can restore it within 30 days.',
  restore: 'Visitors are redirected to the destination again.',
};

const NAMED = 10;

/** Asks for confirmation before an action on many links. */
export function ConfirmMany({
  action,
  back,
  query,
  links,
}: {
  action: ManyAction;
  back: string;
  query: string;
  links: readonly { readonly id: string; readonly shortUrl: string }[];
}) {
  const what = links.length === 1 ? 'this link' : `${links.length} links`;
  return (
    <ConfirmPage
      title={`${MANY_LABELS[action]} ${what}?`}
      label={`${MANY_LABELS[action]} ${what}`}
      back={back}
      kind={action === 'delete' ? 'danger' : 'primary'}
      fields={
        <>
          <Hidden name="do" value={action} />
          <Hidden name="back" value={query} />
          {links.map(({ id }) => (
            <Hidden name="id" value={id} />
          ))}
        </>
      }
    >
      <p>{QUESTIONS[action]}</p>
      <ul class="named">
        {links.slice(0, NAMED).map(({ shortUrl }) => (
          <li class="cut">{shown(shortUrl)}</li>
        ))}
        {links.length > NAMED && <li class="quiet">and {links.length - NAMED} more</li>}
      </ul>
    </ConfirmPage>
  );
}

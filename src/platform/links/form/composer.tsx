import type { Child, PropsWithChildren } from 'hono/jsx';
import { Icon } from '../../../design/icon.tsx';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { Tags } from '../../tags/offered.tsx';
import { useWords } from '../../words.tsx';
import { Campaigns } from '../campaigns.tsx';
import { Becomes, type Becoming } from './becomes.tsx';

/** The style sheets of its pages. */
export const COMPOSER_STYLES = ['composer.css'] as const;

/** The names that fields of the form offer. */
export interface Offered {
  readonly campaigns: readonly string[];
  readonly tags: readonly ColouredTag[];
}

/**
 * The form of a link, and beside it the link that it leads to. A new one is also shown as a dialog over another page, by a
 * script, from wherever a link leads to its page.
 */
export function Composer({
  title,
  lead,
  back,
  offered,
  becoming,
  isDialog = false,
  children,
}: PropsWithChildren<{
  title: string;
  lead?: Child;
  /** The path of the page to go back to. */
  back: string;
  offered: Offered;
  becoming: Becoming;
  isDialog?: boolean;
}>) {
  return (
    <div class="composer" data-over={isDialog ? '' : undefined}>
      <div class="composer-form">
        <div class="composer-head">
          <h1>{title}</h1>
          <a class="composer-close" href={back} aria-label={useWords().text('linkForm.close')} data-close>
            <Icon name="x" />
          </a>
        </div>
        {lead && <p class="lead">{lead}</p>}
        {children}
        <Campaigns names={offered.campaigns} />
        <Tags tags={offered.tags} />
      </div>
      <Becomes becoming={becoming} />
    </div>
  );
}

/** The buttons of the form, which stay in sight. */
export function ComposerFoot({ children }: PropsWithChildren) {
  return <div class="composer-foot">{children}</div>;
}

import { useContext } from 'hono/jsx';
import { Icon } from '../../../design/icon.tsx';
import { TYPED_BY } from '../../forms/resume-form.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { Hidden } from '../../kit/form.tsx';
import { ViewerId } from '../../kit/viewer.ts';
import { useWords } from '../../words.tsx';
import { displayHost } from '../display-url.ts';

/**
 * The content of a list without links: a field for the first destination, which creates its link at once. A refusal leads
 * to the whole form with what was typed.
 *
 * @param path the path of the list of links
 */
export function FirstLink({ path, host }: { path: string; host: string }) {
  const { text } = useWords();
  const viewerId = useContext(ViewerId);
  return (
    <div class="first-link">
      <h2>{text('linkList.none')}</h2>
      <form class="link-tee" method="post" action={path} aria-label={text('shell.createLink')} novalidate>
        {viewerId !== null && <Hidden name={TYPED_BY} value={viewerId} />}
        <div class="link-tee-bar">
          <Icon name="link" />
          <input
            name="url"
            type="url"
            aria-label={text('linkList.whereTo')}
            placeholder={text('linkList.paste')}
            autocapitalize="none"
            spellcheck={false}
            required
          />
          <Button>{text('linkList.shorten')}</Button>
        </div>
        <div class="link-tee-stem">
          <strong dir="ltr">
            {displayHost(host)}
            <b>/…</b>
          </strong>
          <small>{text('linkList.yourFirst')}</small>
        </div>
      </form>
      <div class="actions">
        <ButtonLink href={`${path}/new`}>{text('kit.createLink')}</ButtonLink>
        <ButtonLink href={`${path}/files`}>{text('linkList.import')}</ButtonLink>
      </div>
    </div>
  );
}

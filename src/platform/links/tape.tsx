import type { LinkState } from '../../links/managed-link.ts';
import { Icon } from '../../design/icon.tsx';
import { CopyIcon } from '../kit/copy.tsx';
import { useWords } from '../words.tsx';
import { Isolated } from './bidi-text.tsx';
import { Destination } from './destination.tsx';
import { displayUrl } from './display-url.ts';

/** Tape and fade: a short link always stands on a strip, and its destination always runs out. */

// So that a text that may be cut can be read by pointing at it.
const LONG = 24;

const CLASSES: Readonly<Record<LinkState, string>> = {
  active: 'tape',
  expired: 'tape ended',
  disabled: 'tape off',
  deleted: 'tape off',
};

interface TapeProps {
  readonly shortUrl: string;
  readonly state: LinkState;
  /** True if visitors need a password. */
  readonly isLocked?: boolean;
  /** Where it leads: the link's page; without it the text is plain. */
  readonly href?: string;
  readonly big?: boolean;
}

/**
 * A short link on its strip, with a button that copies it. Where there is little room, the host is cut before the slug, at
 * its beginning, so that they stay side by side.
 */
export function Tape({ shortUrl, state, isLocked = false, href, big = false }: TapeProps) {
  const name = displayUrl(shortUrl);
  const slash = name.indexOf('/');
  const { text } = useWords();
  const parts = (
    <>
      <span class="tape-host">
        <Isolated text={name.slice(0, slash + 1)} />
      </span>
      <b class="cut">
        <Isolated text={name.slice(slash + 1)} />
      </b>
    </>
  );
  const title = name.length > LONG ? name : undefined;
  return (
    <span class={big ? `${CLASSES[state]} big` : CLASSES[state]}>
      {isLocked && <Icon name="lock" />}
      {href === undefined ? (
        <span class="tape-text" title={title}>
          {parts}
        </span>
      ) : (
        <a class="tape-text" href={href} title={title} aria-label={name}>
          {parts}
        </a>
      )}
      {state !== 'deleted' && <CopyIcon text={shortUrl} label={text('kit.copyOf', { label: name })} />}
    </span>
  );
}

/** A destination that fades at its end; all of it can be read by pointing at it. */
export function Fade({ href }: { href: string }) {
  return (
    <span class="fade" title={href}>
      <Icon name="corner-down-right" />
      <span class="fade-text" dir="ltr">
        <Destination href={href} />
      </span>
    </span>
  );
}

import { Icon } from '../../../design/icon.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { displayHost, displayUrl, shownUrl } from '../display-url.ts';
import { Fade } from '../tape.tsx';

/** The id of what follows what is typed. */
export const BECOMES = 'becomes';

/** A link as it will be. */
export interface Becoming {
  /** The destination with its UTM parameters; null while it is none. */
  readonly target: string | null;
  readonly host: string;
  /** Empty if it is generated; null while it is refused. */
  readonly slug: string | null;
  /** The QR code as an address of data; null while the slug is not known. */
  readonly code: string | null;
  /** The texts that the link has of its own for messengers, or the title that its owner sees. */
  readonly card: { readonly title: string; readonly description: string; readonly image: string };
  /** True if a rule or a variant can lead elsewhere. */
  readonly isRouted: boolean;
  /** True if the link exists. */
  readonly isStored: boolean;
}

/** The link that a form leads to, beside the form: its short link, its card, its QR code and where visitors arrive. */
export function Becomes({ becoming }: { becoming: Becoming }) {
  return (
    <section class="becomes" aria-labelledby="becomes-title">
      <h2 id="becomes-title">{useWords().text('linkForm.becomes')}</h2>
      <div class="becomes-parts" id={BECOMES}>
        <BecomesParts becoming={becoming} />
      </div>
    </section>
  );
}

export function BecomesParts({ becoming }: { becoming: Becoming }) {
  const { target, isRouted } = becoming;
  const { text } = useWords();
  return (
    <>
      <Tee {...becoming} />
      <Card {...becoming} />
      <Code {...becoming} />
      {target !== null && (
        <div>
          <h3>{text('linkForm.arrival')}</h3>
          <Arrival href={target} />
          {isRouted && <p>{text('linkForm.elsewhere')}</p>}
        </div>
      )}
    </>
  );
}

const shortOf = ({ host, slug }: Pick<Becoming, 'host' | 'slug'>) => displayUrl(`https://${host}/${slug ?? ''}`);

/** The destination above, the short link beneath. */
function Tee({ target, host, slug }: Becoming) {
  const short = shortOf({ host, slug });
  const start = displayHost(host);
  const words = useWords();
  return (
    <div class="link-tee">
      <div class="link-tee-bar" dir="ltr">
        {target === null ? words.text('linkForm.longAddress') : <Fade href={target} />}
      </div>
      <div class="link-tee-stem">
        <strong class={sizeOf(short)} dir="ltr">
          {start}
          <wbr />
          <b>{slug ? short.slice(start.length) : '/…'}</b>
        </strong>
        <small>
          {slug === null ? words.text('linkForm.slugImpossible') : lengthOf(words, target, slug === '' ? null : short)}
        </small>
      </div>
    </div>
  );
}

/** The size of its letters, so that a usual short link stays on one line. */
function sizeOf(short: string): string | undefined {
  const length = charactersOf(short);
  return length > 32 ? 'longer' : length > 20 ? 'long' : undefined;
}

function lengthOf({ text }: PageWords, target: string | null, short: string | null): string {
  if (short === null) return text('linkForm.slugGenerated');
  const [own, long] = [charactersOf(short), target === null ? 0 : charactersOf(textOf(target))];
  return long > own ? text('linkForm.shorter', { own, long }) : text('linkForm.length', { own });
}

const charactersOf = (text: string) => Array.from(text).length;

function textOf(href: string): string {
  const { host, rest } = shownUrl(href);
  return host + rest;
}

/**
 * The card that messengers show: the one of the link if it has a text or a picture of its own, else that of the page. The
 * title of the link is for its members alone. The picture is on another site, and no page of the service loads anything
 * from there, so another one stands in its place.
 */
function Card({ target, host, card: { title, description, image } }: Becoming) {
  const isOwn = title !== '' || description !== '' || image !== '';
  const from = target === null ? host : shownUrl(target).host;
  const { text } = useWords();
  return (
    <div class="message">
      <div class="message-picture">
        <Icon name="image" />
        <span>
          {image === '' ? text('linkForm.pictureOfPage') : text('linkForm.pictureFrom', { host: shownUrl(image).host })}
        </span>
      </div>
      <div>
        <b>{title || (isOwn ? displayHost(host) : text('linkForm.titleOfPage'))}</b>
        {!(isOwn && description === '') && <span>{description || text('linkForm.descriptionOfPage')}</span>}
        <small>{displayHost(isOwn ? host : from)}</small>
      </div>
    </div>
  );
}

function Code({ code, isStored, ...address }: Becoming) {
  const short = shortOf(address);
  const { text } = useWords();
  return (
    <div class="code-line">
      {code === null ? (
        <span class="code-picture">
          <Icon name="qr-code" />
        </span>
      ) : (
        <img class="code-picture" src={code} width="104" height="104" alt={text('linkForm.qrOf', { short })} />
      )}
      <div>
        <b>{text('linkForm.qr')}</b>
        <p>{text(code === null ? 'linkForm.qrLater' : isStored ? 'linkForm.qrInTab' : 'linkForm.qrOnPage')}</p>
      </div>
    </div>
  );
}

/** A destination in full, in which its host and its UTM parameters stand out. */
function Arrival({ href }: { href: string }) {
  const { host, rest } = shownUrl(href);
  return (
    <p class="arrival" dir="ltr">
      <bdi>
        <b>{host}</b>
      </bdi>
      <bdi>
        {rest.split(/(?<=[?&])/).map((piece) => {
          const [, name, value] = /^(utm_\w+)(=.*)$/s.exec(piece) ?? [];
          return (
            <>
              {name === undefined ? piece : <b>{name}</b>}
              {value}
              <wbr />
            </>
          );
        })}
      </bdi>
    </p>
  );
}

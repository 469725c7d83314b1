import type { PropsWithChildren } from 'hono/jsx';
import type { QrOptions } from '../../../links/qr/options.ts';
import { ButtonLink } from '../../kit/button.tsx';
import type { OfLink } from '../page/link-frame.tsx';
import { useWords } from '../../words.tsx';
import { displayUrl } from '../display-url.ts';
import { fileNameOf, qrAddress } from './qr-settings.ts';

/** A code that can be drawn. */
export interface Drawn {
  /** Where the picture on the page is. */
  readonly shown: string;
  /** Where the files are. */
  readonly svg: string;
  readonly png: string | null;
  /** The part that no PNG can have: an SVG logo, or letters of another alphabet; null if none. */
  readonly lacks: 'logo' | 'letters' | null;
  /** Its sides, in modules. */
  readonly width: number;
  readonly height: number;
  readonly options: QrOptions;
}

/**
 * The picture of a code, and its files.
 *
 * @param isSent true if it has a logo that was sent with the form, which no address has
 */
export function Code({ drawn, isSent, client, link, shortUrl }: OfLink & { drawn: Drawn; isSent: boolean }) {
  const { text } = useWords();
  const name = fileNameOf(link);
  const { svg, png, lacks, options } = drawn;
  const height = String(Math.round((320 * drawn.height) / drawn.width));
  return (
    <>
      <img src={drawn.shown} alt={text('qr.codeOf', { url: displayUrl(shortUrl) })} width="320" height={height} />
      <p class="unseen" data-said>
        {text('qr.drawn')}
      </p>
      <div class="actions">
        <Download href={svg} file={`${name}.svg`}>
          {text('qr.downloadSvg')}
        </Download>
        {png !== null && (
          <Download href={png} file={`${name}.png`}>
            {text('qr.downloadPng')}
          </Download>
        )}
        {lacks !== null && <p class="quiet">{text(lacks === 'logo' ? 'qr.noPng' : 'qr.noPngOfText')}</p>}
        {!isSent && <ButtonLink href={qrAddress({ client, link }, options, 'print')}>{text('qr.print')}</ButtonLink>}
      </div>
      <p class="hint">{text('qr.svgForPrint')}</p>
    </>
  );
}

function Download({ href, file, children }: PropsWithChildren<{ href: string; file: string }>) {
  return (
    <a class="button quiet" href={href} download={file}>
      {children}
    </a>
  );
}

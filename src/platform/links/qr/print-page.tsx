import type { QrOptions } from '../../../links/qr/options.ts';
import { ButtonLink } from '../../kit/button.tsx';
import type { OfLink } from '../page/link-frame.tsx';
import { qrAddress } from './qr-settings.ts';
import { displayUrl } from '../display-url.ts';
import { useWords } from '../../words.tsx';

/** A link on one sheet of paper: its code, five centimetres wide, and what it is. */
export function PrintPage({ options, ...of }: OfLink & { options: QrOptions }) {
  const { text } = useWords();
  const { link, shortUrl } = of;
  return (
    <div class="sheet">
      <div class="actions for-screen">
        <ButtonLink href={qrAddress(of, options, 'qr')}>{text('qr.backToCode')}</ButtonLink>
        <button type="button" class="button primary" data-print="" hidden>
          {text('qr.print')}
        </button>
      </div>
      <p class="quiet for-screen">{text('qr.pageHint')}</p>
      <img src={qrAddress(of, options, 'svg')} alt={text('qr.codeOf', { url: displayUrl(shortUrl) })} />
      <h1 dir="ltr">{displayUrl(shortUrl)}</h1>
      {link.title !== null && <p dir="auto">{link.title}</p>}
    </div>
  );
}

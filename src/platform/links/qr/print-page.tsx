import type { QrOptions } from '../../../links/qr/options.ts';
import { ButtonLink } from '../../kit/button.tsx';
import type { OfLink } from '../page/link-frame.tsx';
import { qrAddress } from './qr-settings.ts';
import { displayUrl } from '../display-url.ts';

/** A link on one sheet of paper: its code, five centimetres wide, and what it is. */
export function PrintPage({ options, ...of }: OfLink & { options: QrOptions }) {
  const { link, shortUrl } = of;
  return (
    <div class="sheet">
      <div class="actions for-screen">
        <ButtonLink href={qrAddress(of, options, 'qr')}>Back to the QR code</ButtonLink>
        <button type="button" class="button primary" data-print="" hidden>
          Print
        </button>
      </div>
      <p class="quiet for-screen">Only the code and the texts below it are printed, on one page of A4 or Letter.</p>
      <img src={qrAddress(of, options, 'svg')} alt={`QR code of ${displayUrl(shortUrl)}`} />
      <h1 dir="ltr">{displayUrl(shortUrl)}</h1>
      {link.title !== null && <p dir="auto">{link.title}</p>}
    </div>
  );
}

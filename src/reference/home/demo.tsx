import { EXAMPLE, TeeAddress, TeeShort, Tee } from '../../design/tee.tsx';
import { Icon } from '../../design/icon.tsx';
import { assetPath } from '../../http/assets.ts';
import { GENERATED_ID } from '../../links/slugs/slug.ts';

/**
 * The short link, the card in a messenger and the QR code of a long address. `browser/front.js` draws them for an
 * address that is typed; without scripts this is a picture of an example.
 *
 * @param host the service's own, for short links
 */
export function Demo({ host }: { host: string }) {
  const short = `${EXAMPLE.host}/${EXAMPLE.slug}`;
  return (
    <div
      class="demo"
      data-demo
      data-service={host}
      data-code={assetPath('front-qr.js')}
      data-alphabet={GENERATED_ID.alphabet}
      data-length={GENERATED_ID.length}
    >
      <div class="demo-middle">
        <Tee bar={<Bars />}>
          <TeeShort {...EXAMPLE} />
          <small data-count>
            {short.length} characters instead of {EXAMPLE.url.length}
          </small>
          <svg
            class="ruler"
            data-ruler
            viewBox={`0 0 ${EXAMPLE.url.length} 5`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path d={`M0 0h${EXAMPLE.url.length}v2H0z`} />
            <path d={`M0 3h${short.length}v2H0z`} />
          </svg>
        </Tee>
        <p class="demo-note" data-note role="status">
          {NOTE}
        </p>
      </div>
      <MessageCard />
      <span class="demo-qr" data-qr>
        <svg viewBox="0 0 25 25" shape-rendering="crispEdges" role="img" aria-label={`QR code of ${short}`}>
          <path fill="currentColor" d={QR_OF_EXAMPLE} />
        </svg>
      </span>
    </div>
  );
}

const NOTE = 'Drawn in your browser: nothing is sent, and nothing is stored. To keep it, sign in.';

/** The example, and the field that takes its place where scripts run. */
function Bars() {
  return (
    <>
      <TeeAddress url={EXAMPLE.url} data-still />
      <form class="tee-bar" data-form hidden>
        <Icon name="link" />
        <label class="unseen" for="long">
          A long address
        </label>
        <input id="long" type="text" inputmode="url" autocomplete="off" spellcheck={false} value={EXAMPLE.url} />
        <button type="submit" class="button primary tall" aria-label="Shorten it">
          <span>Shorten it</span>
          <Icon name="arrow-right" />
        </button>
      </form>
    </>
  );
}

/** A link as messengers show it. */
function MessageCard() {
  return (
    <div class="demo-card" data-card>
      <svg data-picture viewBox="0 0 320 150" role="img" aria-label="A tent under a mountain">
        <path fill="#cfe3ea" d="M0 0h320v150H0z" />
        <circle cx="246" cy="38" r="17" fill="#ffe08a" />
        <path fill="#7fa79a" d="m0 118 62-70 34 34 46-58 74 78 40-36 64 60v24H0z" />
        <path fill="#2f6b55" d="M0 122c60-14 120 6 170-2s104-12 150 2v28H0z" />
        <path fill="#d9683c" d="m112 134 48-58 48 58z" />
        <path fill="#a84621" d="m160 76 48 58h-34z" />
        <path fill="#33270a" d="m160 96-14 38h22z" />
      </svg>
      <span class="demo-letter" data-letter aria-hidden="true" hidden></span>
      <div>
        <b data-title>Alpine Lite 2</b>
        <span data-about>The tent for two, 1.1 kg</span>
        <small data-site>{EXAMPLE.host}</small>
      </div>
    </div>
  );
}

/** The modules of the code of https://acme.example/tent, drawn by the package `qr`, level M. */
const QR_OF_EXAMPLE =
  'M0 0h7v1h-7zM8 0h2v1h-2zM11 0h3v1h-3zM18 0h7v1h-7zM0 1h1v1h-1zM6 1h1v1h-1zM8 1h7v1h-7zM16 1h1v1h-1zM18 1h1v1h-1zM24 1h1v1h-1zM0 2h1v1h-1zM2 2h3v1h-3zM6 2h1v1h-1zM8 2h1v1h-1zM13 2h1v1h-1zM15 2h1v1h-1zM18 2h1v1h-1zM20 2h3v1h-3zM24 2h1v1h-1zM0 3h1v1h-1zM2 3h3v1h-3zM6 3h1v1h-1zM10 3h2v1h-2zM13 3h1v1h-1zM15 3h2v1h-2zM18 3h1v1h-1zM20 3h3v1h-3zM24 3h1v1h-1zM0 4h1v1h-1zM2 4h3v1h-3zM6 4h1v1h-1zM8 4h2v1h-2zM12 4h3v1h-3zM16 4h1v1h-1zM18 4h1v1h-1zM20 4h3v1h-3zM24 4h1v1h-1zM0 5h1v1h-1zM6 5h1v1h-1zM12 5h1v1h-1zM14 5h1v1h-1zM18 5h1v1h-1zM24 5h1v1h-1zM0 6h7v1h-7zM8 6h1v1h-1zM10 6h1v1h-1zM12 6h1v1h-1zM14 6h1v1h-1zM16 6h1v1h-1zM18 6h7v1h-7zM9 7h1v1h-1zM11 7h1v1h-1zM13 7h2v1h-2zM0 8h1v1h-1zM3 8h6v1h-6zM14 8h4v1h-4zM20 8h1v1h-1zM22 8h3v1h-3zM0 9h2v1h-2zM4 9h2v1h-2zM8 9h1v1h-1zM10 9h1v1h-1zM12 9h1v1h-1zM14 9h2v1h-2zM19 9h5v1h-5zM0 10h2v1h-2zM3 10h2v1h-2zM6 10h2v1h-2zM10 10h3v1h-3zM15 10h1v1h-1zM17 10h5v1h-5zM24 10h1v1h-1zM0 11h2v1h-2zM8 11h5v1h-5zM14 11h1v1h-1zM16 11h1v1h-1zM21 11h4v1h-4zM0 12h3v1h-3zM6 12h1v1h-1zM8 12h2v1h-2zM12 12h1v1h-1zM14 12h1v1h-1zM18 12h2v1h-2zM24 12h1v1h-1zM0 13h1v1h-1zM2 13h1v1h-1zM5 13h1v1h-1zM7 13h1v1h-1zM9 13h2v1h-2zM14 13h3v1h-3zM20 13h1v1h-1zM23 13h1v1h-1zM0 14h5v1h-5zM6 14h3v1h-3zM10 14h3v1h-3zM14 14h2v1h-2zM17 14h1v1h-1zM20 14h5v1h-5zM0 15h1v1h-1zM2 15h2v1h-2zM5 15h1v1h-1zM8 15h2v1h-2zM11 15h1v1h-1zM17 15h3v1h-3zM21 15h2v1h-2zM24 15h1v1h-1zM0 16h1v1h-1zM2 16h2v1h-2zM5 16h2v1h-2zM10 16h1v1h-1zM12 16h2v1h-2zM15 16h6v1h-6zM22 16h2v1h-2zM8 17h1v1h-1zM10 17h3v1h-3zM14 17h1v1h-1zM16 17h1v1h-1zM20 17h1v1h-1zM22 17h2v1h-2zM0 18h7v1h-7zM8 18h1v1h-1zM11 18h3v1h-3zM16 18h1v1h-1zM18 18h1v1h-1zM20 18h1v1h-1zM24 18h1v1h-1zM0 19h1v1h-1zM6 19h1v1h-1zM8 19h1v1h-1zM13 19h4v1h-4zM20 19h1v1h-1zM23 19h2v1h-2zM0 20h1v1h-1zM2 20h3v1h-3zM6 20h1v1h-1zM8 20h3v1h-3zM14 20h7v1h-7zM0 21h1v1h-1zM2 21h3v1h-3zM6 21h1v1h-1zM8 21h4v1h-4zM14 21h1v1h-1zM17 21h2v1h-2zM23 21h2v1h-2zM0 22h1v1h-1zM2 22h3v1h-3zM6 22h1v1h-1zM11 22h2v1h-2zM16 22h2v1h-2zM20 22h5v1h-5zM0 23h1v1h-1zM6 23h1v1h-1zM14 23h1v1h-1zM18 23h3v1h-3zM22 23h3v1h-3zM0 24h7v1h-7zM8 24h3v1h-3zM12 24h1v1h-1zM15 24h2v1h-2zM18 24h1v1h-1zM21 24h1v1h-1zM24 24h1v1h-1z';

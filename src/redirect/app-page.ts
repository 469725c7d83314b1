import { html, raw } from 'hono/html';
import type { RichTarget } from '../links/redirect/decide.ts';
import { respondWithPage } from './page.ts';
import { tapeOf } from './tape.ts';
import type { Visit } from './visit.ts';

/** The page of a destination that opens an app, with the way to continue without it. */

const WAIT_MS = 1500;

/**
 * Opens the app, and continues after a while, unless the app has opened: then the page is hidden. A page that is drawn
 * in advance waits until it is shown.
 */
const SCRIPT = `const [app, fallback] = document.querySelectorAll('.buttons a');
const begin = () => {
  const timer = setTimeout(() => location.replace(fallback.href), ${WAIT_MS});
  const stop = () => clearTimeout(timer);
  document.addEventListener('visibilitychange', () => document.hidden && stop());
  for (const name of ['pagehide', 'click']) addEventListener(name, stop);
  location.href = app.href;
};
if (document.prerendering) document.addEventListener('prerenderingchange', begin, { once: true });
else begin();`;

/** The two ways of a visitor. */
interface Ways {
  /** The URL that opens the app. */
  readonly app: string;
  readonly fallback: string;
}

/**
 * The page with a link to the app and one to the fallback.
 *
 * @param opens whether it opens the app by itself, as on phones: elsewhere most visitors do not have the app
 */
export function appPage(visit: Visit, target: RichTarget, { app, fallback }: Ways, opens: boolean): Promise<Response> {
  const nonce = opens ? crypto.randomUUID() : undefined;
  return respondWithPage(visit.request, { language: target.extras.language, nonce }, (words) => ({
    title: words.text('app.title'),
    body: html`${tapeOf(visit)}
      <h1>${words.text('app.title')}</h1>
      <p>${words.text('app.lead')}</p>
      <p class="buttons">
        <a class="button" href="${app}">${words.text('app.open')}</a>
        <a class="button other" href="${fallback}">${words.text('app.browser')}</a>
      </p>
      ${
        nonce !== undefined &&
        html`<script nonce="${nonce}">
          ${raw(SCRIPT)};
        </script>`
      }`,
  }));
}

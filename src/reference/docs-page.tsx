import { html } from 'hono/html';
import { assetPath } from '../http/assets.ts';
import { Header, PublicHead } from './frame.tsx';

/** Writes the page that shows the API document in Scalar's viewer, which has styles of its own and needs scripts. */
export async function writeDocsPage(): Promise<string> {
  const page = (
    <html lang="en">
      <PublicHead title="API reference · Terse" styles={['docs.css']}>
        <script defer src={assetPath('docs.js')}></script>
        <script defer src={assetPath('scalar.js')}></script>
      </PublicHead>
      <body>
        <Header pathname="/docs" />
        <noscript>
          <p class="noscript">
            This reader needs scripts. The document that it shows is at <a href="/openapi.json">openapi.json</a>.
          </p>
        </noscript>
        <div id="reference"></div>
      </body>
    </html>
  );
  return String(await html`<!doctype html>${page}`);
}

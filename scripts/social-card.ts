import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, launchChromium } from '../test/browser/support/chromium.ts';

/**
 * `node scripts/social-card.ts` draws public/assets/card.png, the picture that messengers show for a public page
 * (`src/http/card.tsx`): a long address above, and the short link that it becomes below.
 */

const ROOT = join(import.meta.dirname, '..');
const font = readFileSync(join(ROOT, 'public/assets/terse-grotesque.woff2')).toString('base64');
const [mark = ''] = /<path[^>]*>/.exec(readFileSync(join(ROOT, 'public/assets/icon.svg'), 'utf8')) ?? [];

const CARD = `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: Terse; font-weight: 400 800; src: url(data:font/woff2;base64,${font}) }
  * { box-sizing: border-box; margin: 0 }
  body { width: 1200px; height: 630px; padding: 64px 80px; background: #0c4a36; color: #fdf8ec; font: 500 36px Terse }
  header { display: flex; align-items: center; gap: 20px; font-size: 44px; font-weight: 750; letter-spacing: -0.02em }
  header svg { width: 68px; height: 68px; border-radius: 18px; background: #fdf8ec; color: #0c4a36 }
  h1 { margin: 44px 0 52px; font-size: 92px; font-weight: 750; line-height: 1; letter-spacing: -0.04em }
  .long { height: 96px; padding: 0 40px; border-radius: 24px; background: #fff; color: #5a6158; font-size: 32px;
    line-height: 96px; white-space: nowrap; overflow: hidden }
  .long span { display: block; mask-image: linear-gradient(to right, #000 80%, transparent) }
  .short { width: 500px; margin: 0 auto; padding: 22px 0 30px; border-radius: 0 0 22px 22px; background: #ffe08a;
    color: #33270a; font-size: 60px; letter-spacing: -0.03em; text-align: center; line-height: 1.15 }
  b { font-weight: 800 }
</style>
<header><svg viewBox="0 0 32 32">${mark.replace('#fff', 'currentColor')}</svg>Terse</header>
<h1>Short links people trust.</h1>
<div class="long"><span>https://acme-outdoor.com/shop/tents/ultralight/alpine-lite-2?colour=moss&amp;ref=spring</span></div>
<div class="short">acme.co/<b>tent</b></div>`;

const browser = await launchChromium(await findChromium());
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(CARD);
await page.evaluate('document.fonts.ready');
await page.screenshot({ path: join(ROOT, 'public/assets/card.png') });
await browser.close();

/**
 * Responses by which a server asks who the visitor is, instead of giving the page. Sources: Cloudflare
 * https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/, AWS
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-how-it-works.html, Vercel
 * https://vercel.com/docs/vercel-firewall/vercel-waf; the others by what their customers' sites send.
 */

const HEADERS: Readonly<Record<string, RegExp>> = {
  'cf-mitigated': /challenge/i,
  'x-amzn-waf-action': /challenge|captcha/i,
  'x-vercel-mitigated': /challenge|deny/i,
  'x-vercel-challenge-token': /./,
  'x-dd-b': /./,
  'x-sucuri-block': /./,
  'x-px-captcha': /./,
};

const WORDS =
  /\/cdn-cgi\/challenge-platform\/|cf-chl-|cf_chl_|jschl|_Incapsula_Resource|captcha-delivery\.com|px-captcha|ddos-guard|awswaf|g-recaptcha|h-captcha|hcaptcha\.com/i;

/** The statuses of challenges below 500. Responses with 200 and 404 have headers of the same firewalls. */
const STATUSES = new Set([401, 403, 405, 429]);

/** True if the status and the headers of a response say that it is a challenge. */
export function isChallenge({ status, headers }: Response): boolean {
  if (status < 500 && !STATUSES.has(status)) return false;
  return Object.entries(HEADERS).some(([name, value]) => value.test(headers.get(name) ?? ''));
}

/** True if a page is a challenge by its text. */
export function hasChallenge(html: string): boolean {
  return WORDS.test(html);
}

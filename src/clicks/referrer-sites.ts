import { lazy } from '../isolate/lazy.ts';

/**
 * The sites of referring hosts: the hosts of one site are one row of a breakdown, by the name of the site, which is its
 * shortest host. Statistics keep whole hosts, so that a filter can take each of them. Public lists of referrers were not
 * used: they name services, and put `t.co` and whole groups of services, such as maps and mail, into one.
 */

/** The host of the site to which a referring host belongs; itself for a site with one host, and for an app. */
export function siteOfHost(host: string): string {
  const bare = withoutWww(host);
  if (GOOGLE.test(bare) && googleHosts().has(bare)) return GOOGLE_SITE;
  const dot = bare.indexOf('.');
  const site = bare.slice(dot + 1);
  return SITES.get(site)?.has(bare.slice(0, dot)) ? site : bare;
}

/** All hosts that `siteOfHost` gives this name; a host that is not the name of its site is only itself. */
export function hostsOfSite(name: string): readonly string[] {
  if (siteOfHost(name) !== name) return [name];
  const own = name === GOOGLE_SITE ? [...googleHosts()] : [name];
  const below = [...(SITES.get(name) ?? [])].map((label) => `${label}.${name}`);
  return [...own, ...below].flatMap((host) => [host, `www.${host}`]);
}

// Not `www.com`, which is a site of its own.
const withoutWww = (host: string): string => (/^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : host);

const labels = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The first labels of hosts by which a site redirects its visitors, or which phones get. */
const SITES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['facebook.com', labels('l lm m mbasic mobile touch web')],
  ['messenger.com', labels('l lm m')],
  ['instagram.com', labels('l lm m')],
  ['threads.com', labels('l')],
  ['threads.net', labels('l')],
  ['linkedin.com', labels('m touch')],
  ['reddit.com', labels('amp i m new np old out')],
  ['twitter.com', labels('m mobile')],
  ['x.com', labels('m mobile')],
  ['vk.com', labels('away l m')],
  ['youtube.com', labels('m')],
  ['tiktok.com', labels('m')],
  ['duckduckgo.com', labels('html lite start')],
  ['bing.com', labels('cn m')],
]);

const GOOGLE_SITE = 'google.com';
const GOOGLE = /^google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

// By their names, since anyone can own a host such as google.example. Source: https://www.google.com/supported_domains
const googleHosts = lazy(
  (): ReadonlySet<string> =>
    new Set(
      [
        'com ac ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cc cd cf cg ch ci cl cm cn cv cz de dj dk dm dz ee',
        'es fi fm fr ga ge gf gg gl gm gp gr gy hn hr ht hu ie im iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml',
        'mn ms mu mv mw ne nl no nr nu pl pn ps pt ro rs ru rw sc se sh si sk sm sn so sr st td tg tk tl tm tn to tt us vg',
        'vu ws co.ao co.bw co.ck co.cr co.id co.il co.in co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk',
        'co.uz co.ve co.vi co.za co.zm co.zw com.af com.ag com.ai com.ar com.au com.bd com.bh com.bn com.bo com.br com.bz',
        'com.co com.cu com.cy com.do com.ec com.eg com.et com.fj com.gh com.gi com.gt com.hk com.jm com.kh com.kw com.lb',
        'com.ly com.mm com.mt com.mx com.my com.na com.ng com.ni com.np com.om com.pa com.pe com.pg com.ph com.pk com.pr',
        'com.py com.qa com.sa com.sb com.sg com.sl com.sv com.tj com.tr com.tw com.ua com.uy com.vc com.vn',
      ]
        .join(' ')
        .split(' ')
        .map((ending) => `google.${ending}`),
    ),
);

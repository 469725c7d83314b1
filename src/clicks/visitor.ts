import { parse } from 'bowser';
import { isbot } from 'isbot';
import { BARE_FACEBOOK_APP, deviceOfFacebookApp } from './facebook-app.ts';
import { BROWSERS, SYSTEMS } from './visitor-names.ts';

/** The kind of visitor that followed a link: a person, a program, or a program that draws a preview for people. */
export type Kind = 'human' | 'bot' | 'preview';

/** The kind, browser and system that a `User-Agent` names; null if it names nothing known. */
export interface Visitor {
  readonly kind: Kind;
  readonly browser: string | null;
  readonly os: string | null;
  readonly device: string | null;
}

// Programs that fetch a link after a person has shared it, to show its title and picture.
const PREVIEWS =
  /facebookexternalhit|facebot|twitterbot|slackbot-linkexpanding|slack-imgproxy|whatsapp\/|telegrambot|discordbot|linkedinbot|skypeuripreview|redditbot|pinterestbot|vkshare|viber|iframely|embedly|mattermost|cardyb|bluesky|mastodon|microsoftpreview|bingpreview|google-pagerenderer|yahoo link preview|snap url preview|line-poker|kakaotalk-scrap|zalopreview/i;

const UNKNOWN = { browser: null, os: null, device: null };

/** Classifies a visitor by its `User-Agent`; without one it is not a browser. */
export function classifyVisitor(userAgent: string | null): Visitor {
  if (!userAgent) return { kind: 'bot', ...UNKNOWN };
  if (PREVIEWS.test(userAgent)) return { kind: 'preview', ...UNKNOWN };
  if (BARE_FACEBOOK_APP.test(userAgent)) return { kind: 'human', browser: null, ...deviceOfFacebookApp(userAgent) };
  if (isbot(userAgent)) return { kind: 'bot', ...UNKNOWN };
  const { browser, os, platform } = parse(userAgent);
  const device = platform.type || (os.name === 'Chrome OS' ? 'desktop' : null);
  return { kind: 'human', browser: known(browser.name, BROWSERS), os: known(os.name, SYSTEMS), device };
}

// For an unknown browser the parser returns all that stands before the last slash: most of the `User-Agent`, which may
// be any text of the sender.
function known(name: string | undefined, names: ReadonlySet<string>): string | null {
  return name !== undefined && names.has(name) ? name : null;
}

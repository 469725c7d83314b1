import { MAX_PREVIEW_DESCRIPTION_CHARACTERS } from '../fields/preview.ts';
import { MAX_TITLE_CHARACTERS } from '../fields/title.ts';
import { targetUrl } from '../fields/url.ts';
import { complaintOn } from '../destinations/typing-errors.ts';
import { isOwnTarget, type Site } from '../../network/hosts.ts';
import { CONTROLS } from '../../input/validation.ts';
import { firstCharacters } from '../../text/first-characters.ts';
import type { PageHead } from './read-head.ts';

/** The result of a look-up. Its texts fit the fields of a link. */
export interface FoundPage {
  /** The status of the response. */
  readonly status: number;
  readonly title: string | null;
  readonly description: string | null;
  /** An http or https URL. */
  readonly image: string | null;
}

/** The result for a response without a page that could be read. */
export const withoutTexts = (status: number): FoundPage => ({ status, title: null, description: null, image: null });

/** The result for a page. @param url of the page */
export function toFoundPage(status: number, head: PageHead, url: URL, site: Site): FoundPage {
  return {
    status,
    title: lineOf(head.title, MAX_TITLE_CHARACTERS),
    description: lineOf(head.description, MAX_PREVIEW_DESCRIPTION_CHARACTERS),
    image: imageOf(head, url, site),
  };
}

const SPACES = new RegExp(`[\\s${CONTROLS}]+`, 'gu');

/** A text on one line, cut to so many characters; null if nothing is left. */
function lineOf(text: string | null, most: number): string | null {
  const line = (text ?? '').toWellFormed().replaceAll(SPACES, ' ').trim();
  return firstCharacters(line, most) || null;
}

/** The address of the image; null if no link could have it. */
function imageOf({ image, base }: PageHead, url: URL, site: Site): string | null {
  if (image === null) return null;
  const found = URL.parse(image.trim(), (base && URL.parse(base, url.href)?.href) ?? url.href);
  if (found === null || !/^https?:$/.test(found.protocol)) return null;
  const parsed = targetUrl().safeParse(found.href);
  if (!parsed.success || complaintOn(parsed.data) !== null || isOwnTarget(parsed.data, site)) return null;
  return parsed.data.href;
}

import { AppError, type ErrorCode } from '../../errors.ts';
import { isOfWeb, type Schemes } from '../../network/schemes.ts';
import { faultAt, type Destination } from '../../targets/destination.ts';

/**
 * The error for destinations with a likely typing error, such as `https://https://example.com`, or with a scheme that
 * the operator has not named; null if there is none. It is for destinations that are newly typed: those that are
 * stored already stay valid.
 *
 * @param schemes the schemes that destinations may have beside http and https
 */
export function typingErrorIn(destinations: readonly Destination[], schemes?: Schemes): AppError | null {
  const found = destinations.flatMap(({ field, url }) => {
    const complaint = isOfWeb(url) ? complaintOn(url) : complaintOnScheme(url, schemes);
    return complaint === null ? [] : [{ field, complaint: `${complaint}.` }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const faults = found.map(({ field, complaint }) => faultAt(field, complaint));
  return new AppError(codeOf(first.field), `${first.field} ${first.complaint}`, { faults });
}

function complaintOnScheme({ protocol }: URL, schemes?: Schemes): string | null {
  const scheme = protocol.slice(0, -1);
  return schemes?.has(scheme) === true ? null : otherScheme(scheme, schemes);
}

/** The complaint about a scheme, with what to do about it. */
export function otherScheme(scheme: string, schemes?: Schemes): string {
  const others = schemes === undefined || schemes.size === 0 ? '' : `, or one of ${[...schemes].toSorted().join(', ')}`;
  return `cannot have the scheme ${scheme.slice(0, MAX_SHOWN)}: use https${others}`;
}

// Each field with destinations has a code of its own.
const codeOf = (place: string) => `invalid_${place.split('.', 1)[0]}` as ErrorCode;

// A longer host would fill the sentence.
const MAX_SHOWN = 100;

/** Matches a host with a likely typing error. */
export const TYPING_ERROR = /^https?\.*$|,|^\.|\.\./;

/** The likely typing error in the host of a URL, with what to do about it; null if there is none. */
export function complaintOn({ hostname }: URL): string | null {
  if (!TYPING_ERROR.test(hostname)) return null;
  if (/^https?\.*$/.test(hostname)) return 'has two schemes: remove one of them';
  const shown = `the host "${hostname.slice(0, MAX_SHOWN)}"`;
  if (hostname.includes(',')) return `has a comma in ${shown}: replace it with a dot`;
  return `has a dot too many in ${shown}: remove it`;
}

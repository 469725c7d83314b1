import type { ResolvedVisit } from '../links/visit/resolve-visit.ts';

/** A resolved visit in the management API. */
export function toResolvedRecord({ status, location, reason, takesClick, destination, rules, visitor }: ResolvedVisit) {
  const { kind, country, region, continent, language, device, os, browser, referrerHost } = visitor;
  const { by, name, url } = destination;
  return {
    status,
    location,
    reason,
    takes_click: takesClick,
    destination: { by, name, url },
    rules,
    visitor: { kind, country, region, continent, language, device, os, browser, referrer: referrerHost },
  };
}

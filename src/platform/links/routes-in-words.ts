import { explainCondition } from '../../links/routes/conditions/table.ts';
import type { Rule } from '../../links/routes/stored-routes.ts';
import { destinationText } from './destination.tsx';
import { PREVIEW_PARTS, type PartName, type StoredParts } from './form/parts.ts';
import { sharesOf } from './routes/actions.ts';
import { toVariantDrafts } from './routes/convert.ts';

/** Rules, variants and previews in words. */

/** When a rule holds, as a sentence without its full stop. */
export const conditionsOf = (rule: Rule): string => rule.if.map(explainCondition).join(' and ');

/** A share in percent, such as "33.3%". */
export function formatShare(percent: number | null): string {
  return percent === null ? '' : `${Number(percent.toFixed(1))}%`;
}

/** The parts of a link in words, one for each rule, variant or part of the preview. */
export function wordsOf(name: PartName, { rules, variants, preview }: StoredParts): string[] {
  if (name === 'rules') {
    return rules.map(
      (rule, index) => `${index + 1}. ${rule.name}: ${conditionsOf(rule)} → ${destinationText(rule.url)}`,
    );
  }
  if (name === 'variants') {
    const shares = sharesOf(toVariantDrafts(variants));
    return variants.map(
      ({ name: own, url }, index) => `${own}: ${formatShare(shares[index] ?? null)} → ${destinationText(url)}`,
    );
  }
  return PREVIEW_PARTS.flatMap((part) => {
    const text = preview[part];
    return text === undefined ? [] : [`${part}: ${part === 'image' ? destinationText(text) : text}`];
  });
}

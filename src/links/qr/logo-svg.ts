const ROOT = /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[^]){0,2000}-->\s*){0,5}<svg(?=[\s>])/;

/** The parts that a drawing does not need, and those that could run or be loaded where the file is opened by itself. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/<!DOCTYPE|<!ENTITY/i, 'a DOCTYPE'],
  [/<(?:[^\s<>/]{0,100}:)?script\b/i, 'a script'],
  [/<(?:[^\s<>/]{0,100}:)?(?:foreignObject|iframe|embed|object|audio|video)\b/i, 'content other than a drawing'],
  [/[\s"'/]on[a-z]+\s*=/i, 'an event handler'],
  [/javascript:/i, 'a script'],
  [/(?:href|src)\s*=(?!\s*["'](?:#|data:image\/(?:png|jpeg);))/i, 'a reference to another file'],
  [/url\((?!\s*["']?#)/i, 'a reference to another file'],
  [/@import|<\?xml-stylesheet/i, 'a reference to another file'],
];

/** The error of a file as an SVG logo of at most 64 KiB; null if nothing is. */
export function checkSvg(bytes: Uint8Array): string | null {
  const text = textOf(bytes);
  const [start] = (text !== null && ROOT.exec(text)) || [];
  if (text === null || start === undefined) return 'The file is neither a PNG nor an SVG. Choose one of these.';
  const found = REFUSED.find(([pattern]) => pattern.test(text));
  if (found) return `The SVG has ${found[1]}, which a logo cannot have. Save it as a plain SVG.`;
  if (!hasSize(text.slice(start.length, text.indexOf('>', start.length))))
    return 'The SVG has no viewBox. Save it with one.';
  return text.trimEnd().endsWith('</svg>') ? null : 'The SVG is not complete.';
}

/** @param attributes those of the root, of any length: no pattern matches more than one of them */
function hasSize(attributes: string): boolean {
  return (
    /\sviewBox\s*=/.test(attributes) ||
    [/\swidth\s*=\s*["']\d/, /\sheight\s*=\s*["']\d/].every((pattern) => pattern.test(attributes))
  );
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

// The scripts that run from right to left, as far as URLs and names have them.
const IS_RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const PARTS = /([/?#&=.:]+)/;

/** `Isolated` within a sentence that is a text. */
export function isolatedText(text: string): string {
  if (!IS_RIGHT_TO_LEFT.test(text)) return text;
  const parts = text.split(PARTS).map((part, index) => (index % 2 === 0 && part !== '' ? `\u2068${part}\u2069` : part));
  return `\u2066${parts.join('')}\u2069`;
}

/**
 * A URL or a part of one, in its order from left to right. Without this, a host from right to left would change places with
 * the path beside it.
 */
export function Isolated({ text }: { text: string }) {
  if (!IS_RIGHT_TO_LEFT.test(text)) return <>{text}</>;
  return (
    <bdi dir="ltr">
      {text.split(PARTS).map((part, index) => (index % 2 === 0 && part !== '' ? <bdi>{part}</bdi> : part))}
    </bdi>
  );
}

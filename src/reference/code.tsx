/** A line of the changelog: what stands between backticks is code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

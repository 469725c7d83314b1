/** A line of the changelog, with the parts between backticks as code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

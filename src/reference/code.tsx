/** A line of the changelog, in which the parts between backticks are code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

export function operationAsCode({ method, path }: { readonly method: string; readonly path: string }) {
  return (
    <code>
      {method} {path}
    </code>
  );
}

import { curlOf } from './curl.ts';
import { kebab, type Endpoint, type Operation } from './document.ts';
import { pythonOf } from './python.ts';
import { requestOf } from './request.ts';
import { typescriptOf } from './typescript.ts';

const LANGUAGES = [
  ['curl', 'curl', curlOf],
  ['ts', 'TypeScript', typescriptOf],
  ['py', 'Python', pythonOf],
] as const;

/** A request in three languages, one of which is shown at a time, without a script; and the response to it. */
export function Examples({ endpoint, origin }: { endpoint: Endpoint; origin: string }) {
  const request = requestOf(endpoint, origin);
  const { summary, operationId } = endpoint.operation;
  const name = kebab(operationId);
  const response = exampleOf(endpoint.operation);
  return (
    <div class="examples">
      <fieldset class="code-block">
        <legend class="unseen">The language of the example: {summary}</legend>
        <div class="languages">
          {LANGUAGES.map(([id, label], index) => (
            <label>
              <input type="radio" name={name} value={id} checked={index === 0} />
              {label}
            </label>
          ))}
        </div>
        {LANGUAGES.map(([id, label, write]) => (
          <pre class={id} tabindex={0} aria-label={label}>
            <code>{write(request)}</code>
          </pre>
        ))}
      </fieldset>
      {response !== null && (
        <figure class="code-block">
          <figcaption>
            <span>Response {response.status}</span>
          </figcaption>
          <pre tabindex={0} aria-label={`Response ${response.status}`}>
            <code>{response.text}</code>
          </pre>
        </figure>
      )}
    </div>
  );
}

function exampleOf({ responses }: Operation): { readonly status: string; readonly text: string } | null {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (status >= '300') continue;
    for (const { example } of Object.values(content)) {
      if (example === undefined) continue;
      return { status, text: typeof example === 'string' ? example : JSON.stringify(example, null, 2) };
    }
  }
  return null;
}

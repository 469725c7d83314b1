import type { Operation } from './document.ts';
import { inline } from './inline.tsx';
import { TypeOf } from './types.tsx';

/** The responses of an operation that are no errors, with their types. */
export function Responses({ operation: { responses } }: { operation: Operation }) {
  const successes = Object.entries(responses).filter(([status]) => status < '400');
  return (
    <>
      <h3>Responses</h3>
      <dl class="fields">
        {successes.map(([status, { description, content = {}, headers = {} }]) => (
          <div>
            <dt>
              <code>{status}</code>
              {Object.entries(content).map(([type, { schema }]) => (
                <>
                  {' '}
                  <span class="type">
                    {type}
                    {schema?.$ref !== undefined && (
                      <>
                        {' '}
                        <TypeOf schema={schema} />
                      </>
                    )}
                  </span>
                </>
              ))}
            </dt>
            <dd>
              {inline(description)}
              {headersOf(headers)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

// Every response has the id of its request.
const USUAL: ReadonlySet<string> = new Set(['X-Request-Id', 'WWW-Authenticate']);

function headersOf(headers: Readonly<Record<string, unknown>>) {
  const names = Object.keys(headers).filter((name) => !USUAL.has(name));
  return names.length === 0 ? null : inline(`. Headers: ${names.map((name) => `\`${name}\``).join(', ')}`);
}

import type { ApiDocument, Operation, Responded } from './document.ts';
import { inline } from './inline.tsx';

/** The codes of the errors of an operation by status, each with a link to its meaning. */
export function Errors({ operation, document }: { operation: Operation; document: ApiDocument }) {
  const failures = Object.entries(operation.responses).filter(([status]) => status >= '400');
  return (
    <>
      <h3>Errors</h3>
      <dl class="fields">
        {failures.map(([status, response]) => {
          const { description, 'x-error-codes': codes = [] } = resolved(response, document);
          return (
            <div>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                {inline(description.replace(/ ?Codes: .*$/s, ''))}
                <span class="codes">
                  {codes.map((code) => (
                    <>
                      {' '}
                      <a href={`/docs/errors#${code}`}>{code}</a>
                    </>
                  ))}
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

function resolved(response: Responded, { components: { responses } }: ApiDocument): Responded {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (responses[name] ?? response);
}

import { kebab, type Endpoint } from './document.ts';

/** A list of operations, with links to their sections. */
export function Operations({ endpoints, path }: { endpoints: readonly Endpoint[]; path: string }) {
  return (
    <ul class="operations">
      {endpoints.map(({ method, path: of, operation }) => (
        <li>
          <a href={`${path}#${kebab(operation.operationId)}`}>
            <b class={`verb ${method.toLowerCase()}`}>{method}</b> <code>{of}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}

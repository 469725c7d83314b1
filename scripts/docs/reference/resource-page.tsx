import type { Page } from '../frame.tsx';
import { kebab, type ApiDocument, type Endpoint, type Parameter, type Resource, type Schema } from './document.ts';
import { Errors } from './errors.tsx';
import { Examples } from './examples.tsx';
import { inline, paragraphs } from './inline.tsx';
import { Operations } from './operations.tsx';
import { baseOf, objectsOf, type Objects } from './objects.ts';
import { Responses } from './responses.tsx';
import { Fields, fieldsOf, objectId, TypeOf } from './types.tsx';

/** The page of a resource: each of its operations, then the objects that they name. */
export function resourcePage(resource: Resource, document: ApiDocument, origin: string): Page {
  const { name, description, path, endpoints } = resource;
  const objects = objectsOf(endpoints, document);
  return {
    path,
    title: `${name}, API reference`,
    description: `${description}: the fields, errors and examples of ${countOf(endpoints.length)} of the API.`,
    // Beside the operations are their examples.
    headings: [],
    content: (
      <>
        <h1>{name}</h1>
        <p class="lead">
          {description}. Errors, limits and pages of lists are the same for all resources: see{' '}
          <a href="/docs/api">API</a>.
        </p>
        <Operations endpoints={endpoints} path="" />
        {endpoints.map((endpoint) => (
          <OperationSection endpoint={endpoint} document={document} origin={origin} resource={kebab(name)} />
        ))}
        {objects.length > 0 && (
          <section>
            <h2 id="objects">
              <a class="anchor" href="#objects">
                Objects
              </a>
            </h2>
            {objects.map(([name, schema]) => (
              <section id={objectId(name)} class="object">
                <h3>
                  <a class="anchor" href={`#${objectId(name)}`}>
                    {name}
                  </a>
                </h3>
                {schema.description && <p>{inline(schema.description)}</p>}
                <ObjectFields name={name} schema={schema} objects={objects} />
              </section>
            ))}
          </section>
        )}
      </>
    ),
  };
}

/** The fields of an object; those that it shares with another object of the page are there. */
function ObjectFields({ name, schema, objects }: { name: string; schema: Schema; objects: Objects }) {
  if (schema.properties === undefined) {
    return (
      <p>
        <TypeOf schema={schema} />
      </p>
    );
  }
  const fields = fieldsOf(schema, name.startsWith('New'));
  const base = baseOf(schema, objects);
  if (base === null) return <Fields fields={fields} />;
  return (
    <>
      <p>
        The fields of <a href={`#${objectId(base.name)}`}>{base.name}</a>, and:
      </p>
      <Fields fields={fields.filter((field) => !(field.name in base.properties))} />
    </>
  );
}

const countOf = (count: number) => (count === 1 ? 'one operation' : `${count} operations`);

interface Shown {
  readonly endpoint: Endpoint;
  readonly document: ApiDocument;
  readonly origin: string;
  /** The resource, as it is named in addresses. */
  readonly resource: string;
}

function OperationSection({ endpoint, document, origin, resource }: Shown) {
  const { method, path, operation } = endpoint;
  const id = kebab(operation.operationId);
  return (
    <section class="operation" id={id}>
      {/* The end of the address that the former viewer had for it. */}
      <span id={method + path}></span>
      <h2>
        <a class="anchor" href={`#${id}`}>
          {operation.summary}
        </a>
      </h2>
      <p class="address">
        <b class={`verb ${method.toLowerCase()}`}>{method}</b> <code>{path}</code>
        {operation.deprecated && <span class="state">Deprecated</span>}
        <a class="try" href={`/docs/try#tag/${resource}/${method}${path}`} rel="nofollow" data-try>
          Try it<span class="unseen">: {operation.summary}</span>
        </a>
      </p>
      <div class="halves">
        <div class="said">
          {operation.description && paragraphs(operation.description)}
          <p class="credentials">{credentialsOf(endpoint)}</p>
          <Parameters name="Path" parameters={parametersIn(endpoint, 'path')} />
          <Parameters name="Query" parameters={parametersIn(endpoint, 'query')} />
          <Parameters name="Headers" parameters={parametersIn(endpoint, 'header')} />
          <Body endpoint={endpoint} document={document} />
          <Responses operation={operation} />
          <Errors operation={operation} document={document} />
        </div>
        <Examples endpoint={endpoint} origin={origin} />
      </div>
    </section>
  );
}

const parametersIn = ({ operation }: Endpoint, place: Parameter['in']) =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

function Parameters({ name, parameters }: { name: string; parameters: readonly Parameter[] }) {
  if (parameters.length === 0) return <></>;
  return (
    <>
      <h3>{name}</h3>
      <Fields
        fields={parameters.map(({ name, description, required = false, schema, in: place }) => ({
          name,
          schema,
          description,
          isRequired: required && place !== 'path',
        }))}
      />
    </>
  );
}

function Body({ endpoint, document }: { endpoint: Endpoint; document: ApiDocument }) {
  const content = endpoint.operation.requestBody?.content;
  if (content === undefined) return <></>;
  const types = Object.keys(content);
  const { schema } = content['application/json'] ?? content[types[0] ?? ''] ?? {};
  const name = schema?.$ref?.split('/').at(-1);
  const body = name === undefined ? schema : document.components.schemas[name];
  const options = body?.oneOf ?? body?.anyOf;
  return (
    <>
      <h3>Body</h3>
      <p class="media">
        {types.map((type, index) => (
          <>
            {index > 0 && ', '}
            <code>{type}</code>
          </>
        ))}
      </p>
      {options !== undefined && (
        <p>
          <TypeOf schema={body!} />
        </p>
      )}
      {body?.properties !== undefined && <Fields fields={fieldsOf(body, true)} />}
    </>
  );
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  basic: 'a user name and a password (Basic)',
  bearer: 'an access token (Bearer)',
  apiKey: 'an API key (X-API-Key)',
};

function credentialsOf({ operation }: Endpoint): string {
  const names = (operation.security ?? []).map((each) => Object.keys(each)[0]);
  const words = names.map((name) => (name === undefined ? 'nothing' : (CREDENTIALS[name] ?? name)));
  if (words.every((word) => word === 'nothing')) return 'Needs no credential.';
  return `Credential: ${words.join(', or ')}.`;
}

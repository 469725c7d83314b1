import { inline } from './inline.tsx';
import { kebab, nameOf, type Schema } from './document.ts';

/** The id of the section with the fields of an object. */
export const objectId = (name: string): string => `object-${kebab(name)}`;

/** The type of a value in words; objects are links to their fields. */
export function TypeOf({ schema }: { schema: Schema }) {
  const name = nameOf(schema);
  if (name !== null) return <a href={`#${objectId(name)}`}>{name}</a>;
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) {
    return (
      <>
        {options.map((option, index) => (
          <>
            {index > 0 && ' or '}
            <TypeOf schema={option} />
          </>
        ))}
      </>
    );
  }
  if (schema.contentSchema !== undefined) {
    return (
      <>
        JSON text of <TypeOf schema={schema.contentSchema} />
      </>
    );
  }
  const types = [schema.type ?? []].flat();
  if (types.includes('array') && schema.items !== undefined) {
    return (
      <>
        list of <TypeOf schema={schema.items} />
        {types.includes('null') && ' or null'}
      </>
    );
  }
  return <>{types.length === 0 ? 'any value' : types.join(' or ')}</>;
}

/** The limits of a value besides its type. */
function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, maxLength, maxItems, format } = schema;
  return [
    ...(schema.const === undefined ? [] : [`always ${asCode(schema.const)}`]),
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map(asCode).join(', ')}`]),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`at least ${minimum}`] : []),
    ...(minimum === undefined && maximum !== undefined ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(schema.items?.enum === undefined ? [] : [`of ${schema.items.enum.map(asCode).join(', ')}`]),
    ...(format === undefined || format === 'binary' ? [] : [FORMATS[format] ?? format]),
    ...(schema.default === undefined ? [] : [`${asCode(schema.default)} by default`]),
  ];
}

const asCode = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'ISO 8601',
  uri: 'URL',
  date: 'YYYY-MM-DD',
  uuid: 'UUID',
};

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

/** A list of fields or parameters. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, schema, description, isRequired }) => {
        const limits = limitsOf(schema);
        const example = schema.examples?.[0];
        return (
          <div>
            <dt>
              <code>{name}</code>{' '}
              <span class="type">
                <TypeOf schema={schema} />
              </span>
              {isRequired && <b class="required"> required</b>}
            </dt>
            <dd>
              {inline(description ?? schema.description ?? '')}
              {limits.length > 0 && <span class="limits"> {inline(`${capital(limits.join('; '))}.`)}</span>}
              {example !== undefined && typeof example !== 'object' && (
                <span class="limits">
                  {' '}
                  Such as <code>{typeof example === 'string' ? example : JSON.stringify(example)}</code>.
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const capital = (text: string) => (text[0]?.toUpperCase() ?? '') + text.slice(1);

/** The fields of an object, those that are required marked unless all are. */
export function fieldsOf(schema: Schema, marksRequired: boolean): readonly Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: marksRequired && (schema.required ?? []).includes(name),
  }));
}

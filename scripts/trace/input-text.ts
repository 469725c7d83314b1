/**
 * The arguments of a call, as a text: equal for structurally equal values. Two functions, and two instances of a class
 * such as a request, are equal only if they are the same one.
 */
export function inputText(given: ArrayLike<unknown>, self?: unknown): string {
  const own = self === undefined ? '' : `${textOf(self, 0)}.`;
  return `${own}(${Array.from(given, (value) => textOf(value, 0)).join(', ')})`;
}

// Deeper than any value of the sources, except one that contains itself.
const MAX_DEPTH = 12;

const numbers = new WeakMap<object, number>();
let count = 0;

function identity(value: object): string {
  const number = numbers.get(value) ?? (count += 1);
  numbers.set(value, number);
  return `${typeof value === 'function' ? value.name : value.constructor?.name}#${number}`;
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return identity(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === MAX_DEPTH) return identity(value);
  const each = (part: unknown) => textOf(part, depth + 1);
  if (Array.isArray(value)) return `[${value.map(each).join(', ')}]`;
  if (value instanceof Set) return `Set ${each([...value])}`;
  if (value instanceof Map) return `Map ${each([...value])}`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof URL) return `URL ${value.href}`;
  if (value instanceof Uint8Array) return `Uint8Array [${value.join()}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return identity(value);
  // A getter is not run, since it may be a function of the sources.
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value));
  return `{${properties.map(([name, own]) => `${name}: ${'value' in own ? each(own.value) : 'getter'}`).join(', ')}}`;
}

import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { parseJson } from '../../text/json.ts';
import { fault } from '../../input/validation.ts';

/** The most characters of a list or an object that is sent as JSON text. */
const MAX_TEXT = 32 * 1024;

const jsonText = lazy(() =>
  z
    .string()
    .refine((it) => it.length <= MAX_TEXT, {
      error: `must be at most ${MAX_TEXT} characters long`,
      ...fault('too_long'),
      abort: true,
    })
    .transform((it, context) => {
      try {
        return parseJson(it);
      } catch {
        context.issues.push({ code: 'custom', message: 'must be JSON', input: it });
        return z.NEVER;
      }
    }),
);

/**
 * The schemas of a field that is a list or an object: JSON takes the value, a form its JSON text, a file either.
 *
 * @param value accepts a value, and returns it in the form in which it is stored
 */
export function jsonSchemas<Value extends z.ZodType>(value: Value) {
  const meta = value.meta() ?? {};
  const example = meta.example === undefined ? {} : { example: JSON.stringify(meta.example) };
  const text = jsonText()
    .pipe(value)
    .meta({ ...meta, ...example, description: `${meta.description ?? ''}, as JSON text` });
  // A union would hide which part of a value is wrong.
  const row = z
    .preprocess((it, context) => {
      if (typeof it !== 'string') return it;
      const parsed = jsonText().safeParse(it);
      if (parsed.success) return parsed.data;
      for (const { message } of parsed.error.issues) context.issues.push({ code: 'custom', message, input: it });
      return z.NEVER;
    }, value)
    .meta(meta);
  return { create: text, createJson: value, edit: value, row };
}

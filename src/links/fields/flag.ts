import * as z from 'zod';

const error = 'must be true or false';

/** The schemas of a field that is true or false. False is how a link without the field behaves, unless said otherwise. */
export function flagSchemas(meta: {
  readonly description: string;
  readonly example: boolean;
  /** The few words for the list of tools, if the first clause of the description does not suit. */
  readonly brief?: string;
}) {
  const json = z.boolean({ error }).meta(meta);
  const text = z
    .enum(['true', 'false'], { error })
    .transform((it) => it === 'true')
    .meta({ ...meta, example: String(meta.example) });
  return { create: text, createJson: json, edit: json, row: z.union([json, text], { error }) };
}

/** The part of an input for a field that is false unless it is set. */
export const NO_UNLESS_SET = {
  kind: 'choice',
  choiceIfAbsent: 'false',
} as const;

import type * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import type { Stored } from './kinds.ts';

/** One field of a link. Its public name is its key in `linkFields`, and the name of its column if it has one. */
export interface LinkField {
  /** Its name on the pages. */
  readonly label: string;
  /** The form of its column in `links`; absent if the value is stored elsewhere, such as in `addresses`. */
  readonly stored?: Stored;
  /** True if a link can be without it: then null clears it. */
  readonly isClearable: boolean;
  /** Its description in answers, for the API document. */
  readonly description: string;
  /** True if the record that the published interface documents has it; others are in the managed link only. */
  readonly isPublished: boolean;
  /** True if `q` searches it. */
  readonly isSearched: boolean;
  /**
   * When the answer to a visitor needs it: then memory and KV hold it for each hot link, so it costs on the hot path.
   * With `if_set`, a link without it holds nothing for it.
   */
  readonly visitorsNeed: 'always' | 'if_set' | 'never';
  /** True if a value from KV can be its value there, if that says more than its kind. Runs before redirects. */
  readonly isOfVisitors?: (value: unknown) => boolean;
  /**
   * The URLs in its value that visitors are sent to or shown, each with its place in the value; for lists, of the JSON text.
   * `itself` for a value that is one.
   */
  readonly destinationsIn?:
    | 'itself'
    | ((value: string) => readonly { readonly path: readonly string[]; readonly href: string }[]);
  /** True if an import leaves it out when it compares a row with a link that exists already. */
  readonly isNotCompared?: boolean;
  /** Its schemas, created when they are first needed. */
  readonly schemas: () => FieldSchemas;
  /** Its description on edit in the API document, if that differs. */
  readonly editDescription?: string;
  /** Its input in the forms, if it is one of the details of a link. */
  readonly input?: FieldInput;
}

export interface FieldSchemas {
  /** On create; absent if a new link cannot have the field. */
  readonly create?: z.ZodType;
  /** On create in JSON, if that accepts more than a text. */
  readonly createJson?: z.ZodType;
  /** On edit, without null; absent if the field cannot be changed. */
  readonly edit?: z.ZodType;
  /** In an imported file; absent if a file cannot set the field. */
  readonly row?: z.ZodType;
}

/** The folded parts of the forms. */
export type FormSection = 'campaign' | 'schedule' | 'password' | 'app' | 'redirect' | 'comments' | 'developers';

interface FieldInput {
  readonly kind: 'line' | 'lines' | 'instant' | 'url' | 'count' | 'password' | 'choice';
  /** The part that it is in; absent if it is always shown. */
  readonly section?: FormSection;
  /** The choice that stands for no value; '' if it is not said. */
  readonly choiceIfAbsent?: string;
  /** For programs rather than people: shown in the typeface of code, below the other fields. */
  readonly isCode?: boolean;
}

/** Keeps the exact type of a field, since the types of links derive from it. */
export const field = <const Field extends LinkField>(it: Field): Field => ({ ...it, schemas: lazy(it.schemas) });

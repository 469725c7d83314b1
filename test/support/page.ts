/** A page or form of the platform with what its request sends, in the data of the examples. */

export type Fields = Readonly<Record<string, string | Blob>>;

export interface Page {
  readonly status: number;
  /** The values of path parameters, if they differ from those of the examples. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** The fields, if it is a form. */
  readonly fields?: () => Fields;
  readonly isSignedOut?: true;
  /** True if its response asks no database. */
  readonly asksNothing?: true;
  /** True if the workspace is deleted first. */
  readonly deleted?: true;
}

export const ok: Page = { status: 200 };

export const posted = (fields: Fields = {}, more: Partial<Page> = {}): Page => ({
  status: 303,
  fields: () => fields,
  ...more,
});

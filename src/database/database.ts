export type Param = string | number | null;

/** One SQL statement with its bound parameters (`?1` is `params[0]`). */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** True if it is best effort, such as recording a key's use: an error for the caller need not mention it. */
  readonly isBestEffort?: true;
  /** True for a write without rows that the reads of its batch do not need: left out if no write is possible. */
  readonly canBeLeftOut?: true;
  /** True if its rows are the ids of events that it has recorded. */
  readonly returnsEvents?: true;
  /** True if its rows are deliveries that it has created. */
  readonly returnsDeliveries?: true;
  /** True if its rows are the ids of mails that it has inserted. */
  readonly returnsMails?: true;
}

/** For each statement of a batch, its rows. */
export type Results<Rows extends readonly unknown[]> = { readonly [Index in keyof Rows]: readonly Rows[Index][] };

/** D1 as the domain rooms see it: each call is one round trip. */
export interface Database {
  /** The first row, or null. */
  first<Row>(statement: Statement): Promise<Row | null>;
  /** All statements in one transaction; the rows of each, in order, of the types that `Rows` lists. */
  batch<Rows extends readonly unknown[]>(statements: readonly Statement[]): Promise<Results<Rows>>;
}

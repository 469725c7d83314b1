/** The Durable Objects of an account: https://developers.cloudflare.com/durable-objects/ */
export interface ObjectNamespace {
  readonly id: string;
  /** `SCRIPT_CLASS`. */
  readonly name: string;
  /** The name of the Worker. */
  readonly script: string;
  readonly class: string;
  readonly use_sqlite: true;
}

/** The field `exports` of an upload, by class. */
export type Exports = Readonly<Record<string, Export>>;

/** The stub knows no other state than `created`, the preset. */
interface Export {
  readonly type: string;
  readonly storage?: string;
  readonly state?: string;
}

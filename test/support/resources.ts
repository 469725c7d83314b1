import type { Endpoint } from './endpoint.ts';
import type { Caller } from './forms.ts';
import type { Page } from './page.ts';

/** A resource in the tests of all resources: its file in `resources/` is all that they need. */
export interface TestedResource {
  /** The first segment of its paths, such as `tags`. */
  readonly name: string;
  /** The id in the examples of the API document. */
  readonly id: string;
  /** The rows of these examples, by table. */
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
  /** Creates one for a caller, and returns its id. */
  readonly seed: (owner: Caller) => Promise<string>;
  /** Its endpoints, each with a request that succeeds. */
  readonly endpoints: readonly Endpoint[];
  /** Its pages, by method and pattern, each with a request that succeeds with the rows of the examples. */
  readonly pages: Readonly<Record<string, Page>>;
  /** The statuses of requests that are sent again after they were done, by operation or page, where they differ. */
  readonly repeated: Readonly<Record<string, number>>;
}

const files = import.meta.glob('./resources/*.ts', { eager: true });

/** The resources that have such a file, which exports `resource`. */
export const RESOURCES: readonly TestedResource[] = Object.values(files).map((file) => Object(file).resource);

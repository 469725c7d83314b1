import type * as z from 'zod';
import type { ErrorCode } from '../../src/errors.ts';
import { MULTIPART } from '../../src/http/form.ts';
import { URLENCODED } from '../../src/http/body.ts';
import type { JSON_TYPE } from '../../src/http/json.ts';
import type { Unauthorized } from './failures.ts';
import type { HeaderName } from './headers.ts';
import type { JsonSchema, Named } from './schema.ts';

/** The description of a resource's endpoints: what `document.ts` lists, and `operation.ts` converts. */

/** A short description of one method at one path; `toOperation` adds the rest. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With its parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  /** True if it changes nothing, although it has a body. */
  readonly isRead?: true;
  /** The accepted credentials, each alone. */
  readonly takes: readonly ('basic' | 'bearer' | 'apiKey' | 'none')[];
  readonly pathParameters?: Readonly<Record<string, Parameter>>;
  readonly query?: Query;
  readonly requestHeaders?: Readonly<Record<string, Parameter>>;
  readonly body?: Body | FileBody;
  /** The successful answers, by status. */
  readonly answers: Readonly<Record<number, Result>>;
  /** Its own error codes; those of its credentials, its query and its body are added to them. */
  readonly codes: readonly ErrorCode[];
  /** Codes that are answered before the API is reached, and so without its headers. */
  readonly earlyCodes?: readonly ErrorCode[];
  readonly unauthorized?: Unauthorized;
  /** The statuses of codes that differ in the published interface. */
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  /** Headers of all its answers. */
  readonly headers: readonly HeaderName[];
  /** True if browsers get errors as pages. */
  readonly hasPages?: true;
  /** True if custom domains serve it, and the service's own host does not. */
  readonly isOfDomains?: true;
  /** The description of a response with any other status, if the only documented success is a redirect. */
  readonly others?: string;
}

export interface Parameter {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

export interface Query {
  readonly schema: z.ZodType;
  /** Parameters of the schema that this endpoint does not accept. */
  readonly without?: readonly string[];
  readonly example?: Readonly<Record<string, unknown>>;
}

/** The types of a body that is a form. */
export const FORM_TYPES = [MULTIPART, URLENCODED] as const;

export interface Body {
  readonly types: readonly (typeof JSON_TYPE | (typeof FORM_TYPES)[number])[];
  readonly schema: Named;
  /** The schema of JSON, if it differs from that of the form. */
  readonly json?: Named;
  readonly example: Readonly<Record<string, unknown>>;
}

/** A body that is a file, with an example for each of its types, or a form whose only field is the file. */
export interface FileBody {
  readonly files: Readonly<Record<string, string>>;
  readonly inForm: { readonly type: string; readonly field: string; readonly schema: Named };
}

export interface Result {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** `application/json` by default. */
  readonly types?: readonly string[];
  readonly schema?: Named | JsonSchema;
  readonly example?: unknown;
  /** The body of another media type, for requests that ask for it. */
  readonly also?: { readonly type: string; readonly schema: Named; readonly example: unknown };
  /** True if browsers get a page instead. */
  readonly isPageToo?: true;
}

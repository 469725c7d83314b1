import type { Binding, Version } from './state.ts';

/** The response of the API. */
interface ApiAnswer {
  readonly status: number;
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly result: unknown;
  readonly result_info?: Readonly<Record<string, number>>;
}

/** Sends requests to the API, as a test does that needs no wrangler. */
export interface Client {
  /**
   * @param path such as `/accounts/:account/queues`, where `:account` stands for the id of the first account
   * @param body JSON, or a form
   */
  (method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** @param account the id of the first account */
export function createClient(base: string, token: string, account: string): Client {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(base + path.replace(':account', account), {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(!isForm && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<ApiAnswer, 'status'>) };
  };
}

/** The form by which a Worker of one module is uploaded, with `PUT …/scripts/NAME` or `POST …/scripts/NAME/versions`. */
export function uploadForm(
  source: string,
  {
    bindings = [],
    ...metadata
  }: Partial<Pick<Version, 'annotations' | 'exports'>> & { readonly bindings?: readonly Binding[] } = {},
): FormData {
  const form = new FormData();
  const all = { main_module: 'index.js', compatibility_date: '2026-10-01', bindings, ...metadata };
  form.set('metadata', JSON.stringify(all));
  form.set('index.js', new File([source], 'index.js', { type: 'application/javascript+module' }));
  return form;
}

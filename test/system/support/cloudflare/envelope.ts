/** The response of the API: https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/#responses */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error of the API. A handler throws it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  /** An item for each class, if Durable Objects are refused. */
  readonly details: readonly unknown[];

  constructor(status: number, code: number, message: string, details: readonly unknown[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Part of a list, with what the client needs to ask for the rest. A handler returns it. */
class Page {
  readonly items: readonly unknown[];
  readonly info: Readonly<Record<string, number>>;

  constructor(items: readonly unknown[], info: Readonly<Record<string, number>>) {
    this.items = items;
    this.info = info;
  }
}

/** An answer that is not the usual JSON. A handler returns it. */
export class Raw {
  readonly answer: Answer;

  constructor(status: number, headers: Readonly<Record<string, string>>, body = '') {
    this.answer = { status, headers, body };
  }
}

/** The page that `page` and `per_page` of a request name. @param preset how many a page has without `per_page` */
export function pageOf(items: readonly unknown[], query: URLSearchParams, preset: number): Page {
  const page = positive(query.get('page')) ?? 1;
  const perPage = positive(query.get('per_page')) ?? preset;
  const part = items.slice((page - 1) * perPage, page * perPage);
  return new Page(part, {
    page,
    per_page: perPage,
    count: part.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / perPage),
  });
}

export function responseOf(result: unknown): Answer {
  if (result instanceof Raw) return result.answer;
  if (result instanceof Page) return json(200, { ...SUCCESS, result: result.items, result_info: result.info });
  return json(200, { ...SUCCESS, result: result ?? null });
}

type Failed = Pick<ApiError, 'status' | 'code' | 'message'> & Partial<ApiError>;

export function answerOfError({ status, code, message, details = [] }: Failed): Answer {
  const error = { code, message, ...(details.length > 0 && { meta: { details } }) };
  return json(status, { success: false, errors: [error], messages: [], result: null });
}

const SUCCESS = { success: true, errors: [], messages: [] };

function json(status: number, value: unknown): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

// `wrangler` asks for page 0 of some lists.
function positive(text: string | null): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : null;
}

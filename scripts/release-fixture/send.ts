/** Sends a request to the service, and returns its JSON. Throws if it is refused. */
export type Send = <Body>(operation: string, headers?: Headers, body?: object | string) => Promise<Body>;

export type Headers = Readonly<Record<string, string>>;

/** Opens the service at an origin. A body is JSON, except a form or a text with a type of its own. */
export function openSend(origin: string): Send {
  return async <Body>(operation: string, headers: Headers = {}, body?: object | string) => {
    const [method = '', path = ''] = operation.split(' ');
    const isJson = typeof body === 'object' && !(body instanceof URLSearchParams);
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} returned ${response.status}: ${text.slice(0, 1000)}`);
    return (text === '' ? null : JSON.parse(text)) as Body;
  };
}

import { inject } from 'vitest';

/** The response of a web server for one path. */
export interface Page {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body as bytes in base64, in place of `body`. */
  readonly base64?: string;
  /** The milliseconds before the response begins. */
  readonly afterMs?: number;
  /** What follows the body: the connection stays open without more, or gets the body again and again. */
  readonly afterwards?: 'hangs' | 'repeats';
  /** True if the server closes the connection without a response. */
  readonly ends?: boolean;
}

/** The pages of a web server by their paths, or by method and path, such as `GET /a`; all others are 404. */
export type Site = Readonly<Record<string, Page>>;

/** A request as a web server got it. */
export interface Requested {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
}

interface Origin {
  readonly url: string;
  readonly port: string;
  readonly change: (site: Site) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly requests: () => Promise<readonly Requested[]>;
  /** Its requests as lines, such as `HEAD /a`. */
  readonly lines: () => Promise<readonly string[]>;
}

/** Opens a web server on this machine. */
export async function openOrigin(site: Site = {}): Promise<Origin> {
  const control = inject('originsUrl');
  const port = await (await fetch(control, { method: 'POST', body: JSON.stringify(site) })).text();
  const call = (method: string, body?: string) => fetch(`${control}/${port}`, { method, ...(body && { body }) });
  const requests = async () => (await call('GET')).json<Requested[]>();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    change: async (changed) => void (await (await call('PUT', JSON.stringify(changed))).text()),
    end: async () => void (await (await call('DELETE')).text()),
    requests,
    lines: async () => (await requests()).map(({ method, path }) => `${method} ${path}`),
  };
}

import { expect } from 'vitest';

/** A user with a browser who signs in and gives an application access, on the pages of a service. */
export interface Consent {
  /** Opens the URL to which an application sends the browser, allows it, and returns where that leads. */
  allow(authorizationUrl: URL): Promise<URL>;
}

/** Signs in by the form that a first request leads to. */
export async function openConsent(origin: string, name: string, password: string): Promise<Consent> {
  const headers = { Origin: origin };
  const signedIn = await fetch(`${origin}/platform/sign-in`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ name, password }),
    redirect: 'manual',
  });
  expect(signedIn.status).toBe(303);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  return {
    allow: async (authorizationUrl) => {
      const page = await fetch(authorizationUrl, { headers: { Cookie: cookie } });
      const html = await page.text();
      expect([page.status, html]).toEqual([200, expect.stringContaining('name="request"')]);
      const [, client = ''] = /<option value="([^"]+)"/.exec(html) ?? [];
      const body = new URLSearchParams({
        request: authorizationUrl.search.slice(1),
        client_id: client,
        decision: 'allow',
      });
      for (const [, scope = ''] of html.matchAll(/name="scopes" value="([^"]+)" checked/g))
        body.append('scopes', scope);
      const sent = { method: 'POST', headers: { ...headers, Cookie: cookie }, body, redirect: 'manual' } as const;
      const answer = await fetch(`${origin}/oauth/authorize`, sent);
      expect(answer.status).toBe(303);
      return new URL(answer.headers.get('Location') ?? '');
    },
  };
}

/** The first page: what the service is, and how to begin. */
export function HomePage({ origin }: { origin: string }) {
  return (
    <>
      <h1>Short links with an API</h1>
      <p class="lead">
        Send a long URL and get a short link, on this host or on your own domain. Visitors are redirected to your URL,
        and you see click statistics: how many visitors, from where, and with which devices.
      </p>
      <ol class="guide">
        <Step title="Get a token" id="token" code={`curl -u 'USER:PASSWORD' ${origin}/tokens/create_token`}>
          The access token is valid for an hour. The <code>api_token</code> can create links, like an API key.
        </Step>
        <Step
          title="Create a link"
          id="link"
          code={`curl ${origin}/v1/links -H 'X-API-Key: API_KEY' \\\n  -F client_id=CLIENT_ID -F url=https://example.com/`}
        >
          Create an API key on the <a href="/platform">platform</a>. The response has the <code>short_url</code>, and
          the <code>id</code> and <code>sec_id</code> for the next step.
        </Step>
        <Step
          title="Get its clicks"
          id="info"
          code={`curl ${origin}/info/ID/CLIENT_ID/SEC_ID \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`}
        >
          The response has the link and its clicks.
        </Step>
      </ol>
      <p>
        The <a href="/docs">docs</a> describe every endpoint, and you can try requests there. They are generated from{' '}
        <a href="/openapi.json">openapi.json</a>. The <a href="/changelog">changelog</a> lists changes to the API, and
        marks breaking ones.
      </p>
    </>
  );
}

function Step({ title, id, code, children }: { title: string; id: string; code: string; children: unknown }) {
  return (
    <li>
      <h2>{title}</h2>
      <p>{children}</p>
      <figure class="code-block">
        <figcaption>
          <span>curl</span>
          <button type="button" class="button quiet" data-copy={id} aria-label={`Copy: ${title}`} hidden>
            Copy
          </button>
        </figcaption>
        <pre tabindex={0} aria-label={title}>
          <code id={id}>{code}</code>
        </pre>
      </figure>
    </li>
  );
}

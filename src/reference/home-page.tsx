/** The first page: what the service is, and how to begin. */
export function HomePage({ origin }: { origin: string }) {
  return (
    <>
      <h1>Short links, made by programs</h1>
      <p class="lead">
        Send a long URL and get a short link, on this host or on a domain of yours. Whoever opens it is redirected, and
        you can ask how often, from where and with what.
      </p>
      <ol class="steps">
        <Step title="Get a token" id="token" code={`curl -u 'USER:PASSWORD' ${origin}/tokens/create_token`}>
          It lasts an hour. Its <code>api_token</code> makes links as an API key does.
        </Step>
        <Step
          title="Make a link"
          id="link"
          code={`curl ${origin}/v1/links -H 'X-API-Key: API_KEY' \\\n  -F client_id=CLIENT_ID -F url=https://example.com/`}
        >
          An API key comes from the <a href="/platform">platform</a>. The answer says the <code>short_url</code>, and
          the <code>id</code> and <code>sec_id</code> to ask with.
        </Step>
        <Step
          title="Ask about it"
          id="info"
          code={`curl ${origin}/info/ID/CLIENT_ID/SEC_ID \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`}
        >
          The link as it was made, and its clicks.
        </Step>
      </ol>
      <p>
        The <a href="/docs">docs</a> have every endpoint, to be tried from there, and are made of{' '}
        <a href="/openapi.json">openapi.json</a>. The <a href="/changelog">changelog</a> says what changes, and what
        breaks.
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

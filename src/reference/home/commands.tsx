/** The commands for developers and for operators. */
export function Commands({ origin }: { origin: string }) {
  return (
    <div class="split">
      <div>
        <h3>Create, follow, count</h3>
        {developerCommands(origin).map((command) => (
          <Command {...command} />
        ))}
      </div>
      <div>
        <h3>Run it yourself</h3>
        {OPERATOR_COMMANDS.map((command) => (
          <Command {...command} />
        ))}
        <p class="quiet">
          On your own machine with nothing but Node, or in all data centres of Cloudflare. Name, logo and colour are
          yours to set.
        </p>
      </div>
    </div>
  );
}

interface CommandProps {
  readonly id: string;
  readonly title: string;
  readonly code: string;
}

const developerCommands = (origin: string): readonly CommandProps[] => [
  {
    id: 'create',
    title: 'Create a link',
    code: `curl ${origin}/v1/links -H 'X-API-Key: API_KEY' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url": "https://example.com/a/long/page", "slug": "page"}'`,
  },
  { id: 'follow', title: 'Follow it', code: `curl -i ${origin}/page` },
  { id: 'count', title: 'Read its clicks', code: `curl ${origin}/v1/stats -H 'X-API-Key: API_KEY'` },
];

const OPERATOR_COMMANDS: readonly CommandProps[] = [
  { id: 'start', title: 'Start it', code: 'git clone REPOSITORY terse && cd terse && npm start' },
  {
    id: 'deploy',
    title: 'Deploy it to Cloudflare',
    code: 'npm run login && npm run deploy -- --domain go.example.com',
  },
];

function Command({ id, title, code }: CommandProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{title}</span>
        <button type="button" class="button quiet" data-copy={id} aria-label={`Copy: ${title}`} hidden>
          Copy
        </button>
      </figcaption>
      <pre tabindex={0} aria-label={title}>
        <code id={id}>{code}</code>
      </pre>
    </figure>
  );
}

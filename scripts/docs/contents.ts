/** The pages of the guides: their addresses, and where they stand in the navigation. */

export interface GuideEntry {
  /** The name of its file in `docs/`, without the extension. */
  readonly file: string;
  /** The name in the navigation, shorter than the title. */
  readonly label: string;
  /** The use of it for its readers, as one sentence. */
  readonly gives: string;
}

interface Group {
  readonly name: string;
  readonly guides: readonly GuideEntry[];
}

/** For people and programs that use a service. */
export const FOR_USERS: readonly Group[] = [
  {
    name: 'Guides',
    guides: [
      {
        file: 'quickstart',
        label: 'Quickstart',
        gives: 'Create a short link, follow it and see its clicks, in three commands.',
      },
      {
        file: 'links',
        label: 'Links',
        gives: 'Create, change, expire, protect and route links, and draw their QR codes.',
      },
      {
        file: 'analytics',
        label: 'Analytics',
        gives: 'What counts as a click, what each number means, and how visitors stay private.',
      },
      { file: 'domains', label: 'Domains', gives: 'Put your short links on a domain of your own.' },
      { file: 'import', label: 'Import', gives: 'Bring links from Bitly, Dub and others, and take yours out again.' },
      {
        file: 'platform',
        label: 'The platform',
        gives: 'The pages: workspaces, members, keys, and everything else that needs no program.',
      },
    ],
  },
  {
    name: 'For programs',
    guides: [
      { file: 'api', label: 'API', gives: 'Sign requests, read errors, repeat safely, and stay within the limits.' },
      { file: 'webhooks', label: 'Webhooks', gives: 'Receive signed messages when links change or are clicked.' },
      { file: 'mcp', label: 'MCP', gives: 'Let an assistant create links and read their clicks.' },
      { file: 'cli', label: 'Command line', gives: 'Create links and read statistics from a shell.' },
    ],
  },
];

/** For people who run a service. */
export const FOR_OPERATORS: Group = {
  name: 'Run it yourself',
  guides: [
    { file: 'start', label: 'Start', gives: 'Run the service on your machine, with two commands and no account.' },
    {
      file: 'self-hosting',
      label: 'Deploy',
      gives: 'Deploy it to Cloudflare with one command, and set it up as yours.',
    },
    {
      file: 'sign-in-with-a-provider',
      label: 'Sign-in with an identity provider',
      gives: 'Connect Entra ID, Google, Okta, Keycloak or another OpenID provider.',
    },
    { file: 'on-one-machine', label: 'On one machine', gives: 'Run it on one server of your own, without Cloudflare.' },
    { file: 'mail', label: 'Mail', gives: 'Send invites, resets and notices by mail, from Cloudflare or an HTTP API.' },
    { file: 'operations', label: 'Operations', gives: 'Back up, restore, update, and know that all is well.' },
    { file: 'security', label: 'Security', gives: 'Who could attack an account, and what stops them.' },
    { file: 'architecture', label: 'Architecture', gives: 'How a redirect, a click and a change find their way.' },
    { file: 'performance', label: 'Performance', gives: 'What a redirect costs, and how that is measured.' },
    { file: 'figures', label: 'Figures', gives: 'Throughput, latency and outages, from one run that you can repeat.' },
  ],
};

export const GUIDES: readonly GuideEntry[] = [...FOR_USERS, FOR_OPERATORS].flatMap(({ guides }) => guides);

/** The path of a page, such as `/docs/links`. */
export const pathOfGuide = (file: string): string => `/docs/${file}`;

/** The pages of the guides: their addresses, and where they stand in the navigation. */

export interface GuideEntry {
  /** The name of its file in `docs/`, without the extension. */
  readonly file: string;
  /** The name in the navigation, shorter than the title. */
  readonly label: string;
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
      { file: 'quickstart', label: 'Quickstart' },
      { file: 'links', label: 'Links' },
      { file: 'analytics', label: 'Analytics' },
      { file: 'domains', label: 'Domains' },
      { file: 'import', label: 'Import' },
      { file: 'platform', label: 'The platform' },
    ],
  },
  {
    name: 'For programs',
    guides: [
      { file: 'api', label: 'API' },
      { file: 'webhooks', label: 'Webhooks' },
      { file: 'mcp', label: 'MCP' },
      { file: 'cli', label: 'Command line' },
    ],
  },
];

/** For people who run a service. */
export const FOR_OPERATORS: Group = {
  name: 'Run it yourself',
  guides: [
    { file: 'start', label: 'Start' },
    { file: 'self-hosting', label: 'Deploy' },
    { file: 'on-one-machine', label: 'On one machine' },
    { file: 'operations', label: 'Operations' },
    { file: 'architecture', label: 'Architecture' },
    { file: 'performance', label: 'Performance' },
    { file: 'figures', label: 'Figures' },
  ],
};

export const GUIDES: readonly GuideEntry[] = [...FOR_USERS, FOR_OPERATORS].flatMap(({ guides }) => guides);

/** The path of a page, such as `/docs/links`. */
export const pathOfGuide = (file: string): string => `/docs/${file}`;

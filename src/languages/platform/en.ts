/** The English texts of the platform, whose keys and arguments those of other languages have too. */
export default {
  shell: {
    workspace: 'Workspace',
    workspaces: 'Workspaces',
    deleted: 'deleted',
    user: 'User',
    more: 'More',
    account: 'Account',
    signOut: 'Sign out',
    pages: 'Pages of the workspace',
    createLink: 'Create a link',
    undo: 'Undo',
    skip: 'Skip to content',
  },
  kit: {
    nextPage: 'Next page',
    firstPage: 'Back to the first page',
    pages: 'Pages',
    cancel: 'Cancel',
    save: 'Save',
    delete: 'Delete',
    actions: 'Actions',
  },
  tags: {
    title: 'Tags',
    lead: 'Words to group links by. A link can have several.',
    none: 'No tags yet',
    noneHint: 'Create a tag here, or type a new name when you edit a link.',
    tag: 'Tag',
    links: 'Links',
    linksWith: '{links} with the tag {name}',
    new: 'New tag',
    newHint: 'The name must be unique. Upper and lower case count as the same.',
    create: 'Create tag',
    name: 'Name',
    nameHint: 'Up to {most, number} characters without commas.',
    colour: 'Colour',
    byName: 'Chosen by the name',
    gray: 'Gray',
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    teal: 'Teal',
    blue: 'Blue',
    purple: 'Purple',
    clicksOn: 'Clicks on the links that have this tag now: <a>{links}</a>.',
    clicksOnNewest:
      'Clicks on the links that have this tag now: <a>{links}</a>, of which the newest {most, number} are counted.',
    selectHint: 'Select links in the list, and give them this tag. Their clicks appear here.',
    select: 'Select links',
    shareHint: 'Share the short links that have this tag. Clicks appear here within seconds.',
    show: 'Show links',
    changeHint: 'All links that have the tag show its new name and colour at once.',
    deleteName: 'Delete the tag {name}',
    deleteTitle: 'Delete a tag',
    deleteThis: 'Delete this tag?',
    deleteTag: 'Delete tag',
    deleteEffect: '“<bdi>{name}</bdi>” is removed from {links}. The links stay. This cannot be undone.',
  },
  counts: {
    links: '{count, plural, one {# link} other {# links}}',
    linksOrMore: '{count, number} or more links',
  },
  campaigns: {
    linksOf: '{links} of {name}',
  },
  account: {
    title: 'Account',
  },
  audit: {
    title: 'Audit log',
  },
  clicks: {
    clicks: 'Clicks',
  },
  domains: {
    title: 'Domains',
  },
  flash: {
    undo: 'Undo',
  },
  forms: {
    again: 'Enter this again: passwords are not kept.',
  },
  imports: {
    title: 'Import',
  },
  keys: {
    title: 'API keys',
  },
  linkForm: {
    title: 'New link',
  },
  linkList: {
    title: 'Links',
  },
  linkPage: {
    edit: 'Edit',
  },
  members: {
    title: 'Members',
  },
  qr: {
    title: 'QR code',
  },
  routes: {
    country: 'Country',
  },
  shares: {
    password: 'Password',
  },
  signIn: {
    title: 'Sign in',
  },
  templates: {
    title: 'UTM templates',
  },
  views: {
    title: 'Views',
  },
  webhooks: {
    title: 'Webhooks',
  },
  workspace: {
    title: 'Workspace',
  },
} as const;

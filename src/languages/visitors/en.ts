/** The English sentences of visitors' pages, whose keys and arguments those of other languages have too. */
export default {
  password: {
    title: 'Enter the password',
    errorTitle: 'Error: enter the password',
    lead: 'This link is protected. Ask the sender for the password.',
    label: 'Password',
    submit: 'Continue',
    wrong: 'The password is wrong.',
    tooMany: 'Too many attempts. Wait a minute, then try again.',
  },
  ask: {
    websiteTitle: 'Continue to another website?',
    appTitle: 'Continue in an app?',
    website: 'This link leads to <strong>{host}</strong>',
    app: 'This link leads to an app on your device: <strong>{scheme}</strong>',
    appOrWebsite:
      'This link leads to an app on your device: <strong>{scheme}</strong>, or without it to <strong>{host}</strong>',
    submit: 'Continue',
  },
  app: {
    title: 'Continue in the app',
    lead: 'This link opens an app. If you do not have it, continue in the browser.',
    open: 'Open the app',
    browser: 'Continue in the browser',
  },
  inspect: {
    title: 'Where this link leads',
    elsewhere: 'Some visitors may be redirected to another page.',
    created: 'The link was created on {day, date, long} (UTC).',
    blocked: 'The operator of this service has blocked the website that it leads to.',
  },
  program: {
    title: 'Short link',
    lead: 'Open this link in a browser to follow it.',
  },
  notFound: {
    title: 'Link not found',
    advice: 'Check the address for typing errors.',
  },
  gone: {
    title: 'This link is no longer available',
    advice: 'It has expired, or its owner has disabled or deleted it. Ask the sender for a new link.',
  },
  blocked: {
    title: 'This link has been blocked',
    advice:
      'The operator of this service has blocked the website that it leads to, for example because it is harmful. You have not been redirected. If you think that this is a mistake, contact the sender of the link.',
  },
  unavailable: {
    title: 'This link is temporarily unavailable',
    advice: 'Our service has a temporary problem. Please try again in a few seconds.',
  },
  unsupported: {
    title: 'This request is not supported',
    advice: 'Open short links in a browser or with a GET request.',
  },
} as const;

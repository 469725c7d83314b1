/** The English texts of mails, whose keys and arguments those of other languages have too. */
export default {
  mail: {
    footer: 'Sent by {service}, {host}. The mail does not track who reads it.',
    linkAgain: 'If the button does not work, open this address in your browser:',
  },
  confirm: {
    subject: 'Confirm your address',
    lead: 'This address was entered for an account at {service}. Open the link in a browser in which you are signed in to that account.',
    button: 'Confirm the address',
    note: 'The link works once, within one hour. If you did not enter the address, do nothing: it gets no other mail.',
  },
  addressChanged: {
    subject: 'This address is no longer used',
    lead: 'Your account at {service} no longer uses this address: it was replaced or removed on {at}.',
    button: 'Open your account',
    note: 'If this was not you, change your password, and sign out other browsers.',
  },
  invite: {
    subject: 'An invite to a workspace',
    lead: 'You are invited to the workspace {workspace} at {service}.',
    leadUnnamed: 'You are invited to a workspace at {service}.',
    button: 'Open the invite',
    note: 'The invite can be accepted once, until {at}, by a person who has signed in or creates an account. If you did not expect it, do nothing.',
  },
  reset: {
    subject: 'Choose a new password',
    lead: 'A link to choose a new password was requested for your account at {service}.',
    button: 'Choose a new password',
    note: 'The link works once, within one hour. It changes no second factor. If you did not request it, do nothing: your password stays the same.',
  },
  newDevice: {
    subject: 'A sign-in from a new device',
    lead: 'Your account at {service} was signed in to on {at} from a browser, system or country that is not in the history of its sign-ins: {device}.',
    unknown: 'unknown device',
    button: 'Open the history of sign-ins',
    note: 'If this was not you, change your password, and sign out other browsers.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    lead: 'The password of your account at {service} was changed on {at} on the page of the account, which signed out all other browsers.',
    leadLink:
      'A link was used on {at} to choose a new password for your account at {service}, which signed it out everywhere.',
    leadOwner:
      'A link of an owner of the workspace {workspace} was used on {at} to choose a new password for your account at {service}, which signed it out everywhere.',
    leadUnnamed:
      'A link of an owner of your workspace was used on {at} to choose a new password for your account at {service}, which signed it out everywhere.',
    leadOperator:
      'The operator of {service} changed the password of your account on {at}, which signed it out everywhere.',
    button: 'Choose another password',
    note: 'If you do not know of this change, choose another password now.',
  },
  factorsChanged: {
    subject: 'Two-step sign-in was changed',
    lead: 'The two-step sign-in or the passkeys of your account at {service} were changed on {at}.',
    button: 'Open two-step sign-in',
    note: 'If this was not you, change your password, and sign out other browsers.',
  },
  factorsReset: {
    subject: 'Two-step sign-in was turned off',
    lead: 'The operator of {service} turned off the two-step sign-in of your account on {at}, and signed it out everywhere.',
    leadMember:
      'The operator of {service} turned off the two-step sign-in of a member of the workspace {workspace} on {at}.',
    leadUnnamed: 'The operator of {service} turned off the two-step sign-in of a member of your workspace on {at}.',
    button: 'Open two-step sign-in',
    buttonMember: 'Open the audit log',
    note: 'If you did not ask for this, write to the operator.',
  },
  identityChanged: {
    subject: 'The identity of a sign-in was changed',
    lead: 'On {at}, the operator of {service} changed the identity with which you sign in at your company’s provider. Sessions of the former one were signed out.',
    leadMember:
      'On {at}, the operator of {service} changed the identity with which a member of the workspace {workspace} signs in at the company’s provider.',
    leadUnnamed:
      'On {at}, the operator of {service} changed the identity with which a member of your workspace signs in at the company’s provider.',
    button: 'Open the history of sign-ins',
    buttonMember: 'Open the audit log',
    note: 'If you did not ask for this, write to the operator.',
  },
  factorDemanded: {
    subject: 'Set up two-step sign-in',
    lead: 'The workspace {workspace} at {service} demands two-step sign-in of its members from {at}, and your account has none.',
    leadUnnamed:
      'A workspace of yours at {service} demands two-step sign-in of its members from {at}, and your account has none.',
    button: 'Set up two-step sign-in',
    note: 'Without it, from then on neither you nor programs that use your password can open the workspace. API keys keep working.',
  },
  unconfirmed: {
    subject: 'Sign in with your company',
    lead: 'The provider by which your company signs in has not confirmed you for some time. Sign in with it before {at}, or your access to the workspace {workspace} at {service} is suspended.',
    leadUnnamed:
      'The provider by which your company signs in has not confirmed you for some time. Sign in with it before {at}, or your access to a workspace at {service} is suspended.',
    leadAll:
      'The provider by which your company signs in has not confirmed you for some time. Sign in with it before {at}, or your access to your workspaces at {service} is suspended.',
    button: 'Open the sign-in page',
    note: 'API keys, application passwords and connected applications stop with your access. The next sign-in with the provider restores everything.',
  },
  keyExpires: {
    subject: 'An API key expires soon',
    lead: 'An API key of yours in the workspace {workspace} at {service} expires on {at}.',
    leadUnnamed: 'An API key of yours at {service} expires on {at}.',
    button: 'Open the keys',
    note: 'Programs that use it stop then. Create another key before, and replace the old one.',
  },
  domainLost: {
    subject: 'A domain is lost',
    lead: 'The DNS records of a domain of the workspace {workspace} at {service} were no longer found, so that its links have stopped.',
    leadUnnamed:
      'The DNS records of a domain of your workspace at {service} were no longer found, so that its links have stopped.',
    button: 'Open the domains',
    note: 'Once the records are there again, verify the domain on its page.',
  },
  webhookDisabled: {
    subject: 'A webhook is disabled',
    lead: 'A webhook of the workspace {workspace} at {service} was disabled, since its receiver failed for too long or responded that it no longer exists.',
    leadUnnamed:
      'A webhook of your workspace at {service} was disabled, since its receiver failed for too long or responded that it no longer exists.',
    button: 'Open the webhooks',
    note: 'Enable it on its page once the receiver responds again.',
  },
} as const;

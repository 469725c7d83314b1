/** The path of the file of a user's own data, which a browser saves without leaving its page. */
export const OWN_DATA = '/platform/account/export.json';

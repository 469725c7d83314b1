/** A field that a script fills with the time zone of the browser, which becomes that of an account without one. */
export const ZoneOfBrowser = () => <input type="hidden" name="tz" value="" data-zone="" />;

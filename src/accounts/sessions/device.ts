/** The description that a browser sent of itself when it signed in, and where it was. */
export interface Device {
  readonly browser: string | null;
  readonly os: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

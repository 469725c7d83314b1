/** A visit of a short link. */
export interface Visit {
  readonly path: string;
  /** The only right `Location`; null if any is. */
  readonly location: string | null;
}

/** The response to a visit. */
export interface Outcome {
  /** 0 without a response; -1 for a redirect to a wrong destination. */
  readonly status: number;
  /** From the instant at which the visit was due until its response. */
  readonly milliseconds: number;
}

/** True if a visitor was redirected where the visit says. */
export const isRedirected = ({ status }: Outcome): boolean => status >= 300 && status < 400;

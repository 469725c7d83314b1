/** What the tests and their providers, which are other processes, both know. */

/** The response of a path of a scripted issuer. */
export interface Scripted {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if there is no response. */
  readonly hangs?: boolean;
}

/** The applications of the real provider, and the workspaces that they are for. */
export const REAL_APPLICATIONS = [
  { application: 'terse-one', workspace: 'real-one' },
  { application: 'terse-two', workspace: 'real-two' },
  { application: 'terse-three', workspace: 'real-three' },
  { application: 'terse-four', workspace: 'real-four' },
] as const;
export const REAL_SECRET = 'a secret of the real provider: %/+&=';

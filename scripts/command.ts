import type { Readable } from 'node:stream';
import type { Service } from './operator-service.ts';

/** The options of the operator's commands. */
export interface Options {
  readonly client?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly before?: string | undefined;
  readonly access?: string | undefined;
  readonly oidc?: string | undefined;
  readonly limit?: string | undefined;
  readonly origin?: string | undefined;
  readonly remote?: boolean | undefined;
  readonly 'password-stdin'?: boolean | undefined;
}

/**
 * A command checks its input first, and gives a function that sends the requests and returns the text to print. A
 * password is read from `input`.
 */
export interface Command {
  readonly takes: readonly (keyof Options)[];
  readonly operand: string | null;
  prepare(operand: string, options: Options, input: Readable): Promise<(service: Service) => Promise<string>>;
}

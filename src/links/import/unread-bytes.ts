import { AppError } from '../../errors.ts';

/** The error of a file that is not in the encoding in which it was read. */
export class UnreadBytes extends AppError {
  /** The encoding that it may have. */
  readonly charset: string;

  constructor(sentence: string, charset: string, cause?: unknown) {
    super('malformed_body', sentence, { cause });
    this.charset = charset;
  }
}

import { MailTokens } from '../mail/mail-tokens.ts';
import type { RequestContext } from './env.ts';

/** The tokens of links in mails; null if the service sends none. */
export function mailTokensOf(c: RequestContext): MailTokens | null {
  const { mail, tokenKeys } = c.var.services.config;
  return mail && new MailTokens(tokenKeys.map(({ d }) => d));
}

import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';

/**
 * The form of `POST /tokens/refresh_token`. Not strict, as OAuth clients send fields of their own (RFC 6749, section 3.2).
 */
export const refreshFields = lazy(() =>
  z.object({
    refresh_token: z.string().meta({ description: 'The refresh token of the last token response' }),
  }),
);

/**
 * The form of `POST /tokens/revoke_token` (RFC 7009, section 2.1); the field name of the sibling endpoint is accepted
 * too.
 */
export const revokeFields = lazy(() =>
  z
    .object({
      token: z.string().optional().meta({ description: 'A refresh token, an access token or an api_token' }),
      refresh_token: z.string().optional().meta({ description: 'Another name for `token`, which goes before it' }),
    })
    .transform((fields, ctx) => {
      const token = fields.token ?? fields.refresh_token;
      if (token !== undefined) return { token };
      ctx.issues.push({ code: 'invalid_type', expected: 'string', path: ['token'], input: fields.token });
      return z.NEVER;
    }),
);

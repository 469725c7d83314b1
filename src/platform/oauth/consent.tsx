import { Hono, type Context } from 'hono';
import {
  codeUri,
  errorUri,
  readAuthorizationRequest,
  RefusedRequest,
  type AuthorizationRequest,
} from '../../accounts/oauth/authorization-request.ts';
import { consentFields, grantCode } from '../../accounts/oauth/grants.ts';
import { requireConfirmation } from '../../accounts/sessions/confirmation.ts';
import { OAuthError } from '../../accounts/oauth/oauth-error.ts';
import type { ErrorStatus } from '../../errors.ts';
import { findApplication } from '../../http/client-documents.ts';
import { CONSENT_PATH } from '../../http/paths.ts';
import { serviceOrigin } from '../../http/service-origin.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { newForm, readFieldsAndList, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, signedIn } from '../guard.ts';
import { page } from '../page.tsx';
import { ownName } from '../person-name.ts';
import { ConsentPage, InvalidRequest, UnknownApplication } from './consent-page.tsx';
import { leadBack } from './lead-back.ts';

/**
 * The page on which a user grants an application access (RFC 6749, section 4.1.1). It asks each time, and an error of a
 * request is shown here: only a user's own click leads to an address that the request names.
 */
export function consentPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(CONSENT_PATH, signedIn);

  pages.get(CONSENT_PATH, freshlyConfirmed, async (c) => {
    const sent = c.var.site.requestUrl.search.slice(1);
    return withRequest(c, sent, (request) => respondWithConsent(c, request, sent));
  });

  pages.post(CONSENT_PATH, async (c) => {
    const { fields, list } = await readFieldsAndList(c, 'scopes');
    const { request: sent = '', decision, client_id } = fields;
    const { db, session, site } = c.var;
    return withRequest(c, sent, async (request) => {
      const origin = serviceOrigin(site);
      // A form that is only shown again decides nothing.
      if (c.var.shownAgain === undefined) {
        if (decision === 'refuse') return c.redirect(errorUri(request, 'access_denied', origin), 303);
        // Only a button gives access.
        if (decision !== 'allow') return respondWithConsent(c, request, sent, newForm(), 400);
        requireConfirmation(session);
      }
      const shown = { ...fields, scopes: list.join(' ') };
      const granted = await submit(c, shown, () => {
        const scopes = list.filter((scope) => request.scopes.some((asked) => asked === scope));
        const wanted = parseFields(consentFields(), { client_id, scopes });
        return grantCode(db, session, request, { clientId: wanted.client_id, scopes: wanted.scopes });
      });
      if (!granted.ok) return respondWithConsent(c, request, sent, granted.form, granted.status);
      return c.redirect(codeUri(request, granted.value, origin), 303);
    });
  });

  return pages;
}

/** @param sent the query of the request of an application */
async function withRequest(
  c: Context<PlatformEnv>,
  sent: string,
  respond: (request: AuthorizationRequest) => Response | Promise<Response>,
): Promise<Response> {
  const { session, site, words } = c.var;
  const query = new URLSearchParams(sent);
  try {
    return await respond(
      await readAuthorizationRequest(query, serviceOrigin(site), (id) => findApplication(c, session.credential, id)),
    );
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const head = { title: words.text('applications.consentTitle'), status: 400, narrow: true, isStatic: true } as const;
    return error instanceof RefusedRequest
      ? page(c, head, <InvalidRequest host={error.host} error={error.code} back={error.back} />)
      : page(c, head, <UnknownApplication />);
  }
}

function respondWithConsent(
  c: Context<PlatformEnv>,
  request: AuthorizationRequest,
  sent: string,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { session, words } = c.var;
  leadBack(c, request.redirectUri, { hasScripts: false });
  return page(
    c,
    { title: words.text('applications.consentTitle'), status, narrow: true, isStatic: true },
    <ConsentPage {...{ request, form, sent }} clients={session.clients} userName={ownName(words, session)} />,
  );
}

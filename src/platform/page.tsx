import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ErrorStatus } from '../errors.ts';
import { BrandOfPage } from '../http/brand.tsx';
import { EncodeNotice } from './keys/encode-notice.tsx';
import type { PlatformEnv } from './env.ts';
import { takeFlash } from './flash.ts';
import { OwnAddress } from './kit/own-address.ts';
import { ViewerId } from './kit/viewer.ts';
import { Shell } from './kit/shell.tsx';
import { AGAIN, CONFIRM, HERE } from './forms/resume-form.ts';
import { WrongCodesNotice } from './account/factors/wrong-codes.tsx';
import { demandsFactor } from './workspace/demands-factor.ts';
import { ConfirmNotice, FactorNotice } from './workspace/factor-demand.tsx';
import { WordsOfPage } from './words.tsx';

export interface PageHead {
  readonly title: string;
  /** 200 by default. */
  readonly status?: ErrorStatus | 200 | 201;
  readonly narrow?: boolean;
  /** Beside the page, on wide screens, for users who are not signed in. */
  readonly beside?: Child;
  /** Files of scripts that only this page has. */
  readonly scripts?: readonly string[];
  /** True if it has no scripts at all. */
  readonly isStatic?: boolean;
  /** Style sheets that not all pages have. */
  readonly styles?: readonly string[];
  /** A sentence about the page, if everyone can open it. */
  readonly description?: string;
}

/** Answers with a page: the content in its frame. */
export function page(
  c: Context<PlatformEnv>,
  {
    title,
    status = 200,
    narrow = false,
    beside = null,
    scripts = [],
    isStatic = false,
    styles = [],
    description,
  }: PageHead,
  content: Child,
) {
  const { requestUrl, publicUrl } = c.var.site;
  const { pathname, search } = requestUrl;
  const shell = (
    <WordsOfPage.Provider value={c.var.words}>
      <BrandOfPage.Provider value={c.var.services.config.brand}>
        <ViewerId.Provider value={c.var.viewer?.session.userId ?? null}>
          <Shell
            title={title}
            navigation={c.var.navigation}
            pathname={pathname}
            search={search}
            flash={takeFlash(c)}
            viewer={c.var.viewer}
            narrow={narrow}
            beside={beside}
            scripts={isStatic ? [] : ['platform.js', ...scripts]}
            styles={styles}
            about={description === undefined ? undefined : { description, origin: (publicUrl ?? requestUrl).origin }}
          >
            {!narrow && <Notices c={c} pathname={pathname} />}
            <OwnAddress.Provider value={ownAddress(pathname, search)}>{content}</OwnAddress.Provider>
          </Shell>
        </ViewerId.Provider>
      </BrandOfPage.Provider>
    </WordsOfPage.Provider>
  );
  return c.html(html`<!doctype html>${shell}`, status);
}

/** The notices about the account of the viewer and about the workspace of the page, each where it has something to say. */
function Notices({ c, pathname }: { c: Context<PlatformEnv>; pathname: string }) {
  const { viewer, services } = c.var;
  if (!viewer) return null;
  const { session, client } = viewer;
  return (
    <>
      <WrongCodesNotice session={session} />
      {client && (
        <>
          <ConfirmNotice session={session} client={client} />
          <FactorNotice {...{ session, client, pathname }} />
          {!demandsFactor(client) && (
            <EncodeNotice {...{ session, client }} cutoffSeconds={services.config.encode.cutoffSeconds} />
          )}
        </>
      )}
    </>
  );
}

// A form that was shown again is sent to the page itself, and not to what has shown it.
function ownAddress(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  const own = [AGAIN, CONFIRM, HERE];
  if (!own.some((name) => query.has(name))) return pathname + search;
  for (const name of own) query.delete(name);
  return query.size > 0 ? `${pathname}?${query.toString()}` : pathname;
}

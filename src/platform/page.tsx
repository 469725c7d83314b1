import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ErrorStatus } from '../errors.ts';
import { EncodeNotice } from './keys/encode-notice.tsx';
import type { PlatformEnv } from './env.ts';
import { takeFlash } from './flash.ts';
import { ViewerId } from './kit/viewer.ts';
import { Shell } from './kit/shell.tsx';

export interface PageHead {
  readonly title: string;
  /** 200 by default. */
  readonly status?: ErrorStatus | 200 | 201;
  readonly narrow?: boolean;
  /** Files of scripts that only this page has. */
  readonly scripts?: readonly string[];
}

/** Answers with a page: the content in its frame. */
export function page(
  c: Context<PlatformEnv>,
  { title, status = 200, narrow = false, scripts = [] }: PageHead,
  content: Child,
) {
  const { pathname, search } = c.var.site.requestUrl;
  const shell = (
    <ViewerId.Provider value={c.var.viewer?.session.userId ?? null}>
      <Shell
        title={title}
        pathname={pathname}
        search={search}
        flash={takeFlash(c)}
        viewer={c.var.viewer}
        narrow={narrow}
        scripts={scripts}
      >
        {!narrow && c.var.viewer?.client && (
          <EncodeNotice
            session={c.var.viewer.session}
            client={c.var.viewer.client}
            cutoffSeconds={c.var.services.config.encode.cutoffSeconds}
          />
        )}
        {content}
      </Shell>
    </ViewerId.Provider>
  );
  return c.html(html`<!doctype html>${shell}`, status);
}

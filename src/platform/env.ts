import type { Actor } from '../accounts/access.ts';
import type { ClosedClient, DeletedClient, OwnClient, Session } from '../accounts/sessions/session.ts';
import type { AppError } from '../errors.ts';
import type { HttpEnv } from '../http/env.ts';
import type { NavSection } from './nav.ts';
import type { PageWords } from './words.tsx';

export type { OwnClient };

/** The name of a field and its text. */
export type SentField = readonly [name: string, text: string];

/** The Hono environment of the pages. */
export interface PlatformEnv {
  Bindings: Env;
  Variables: HttpEnv['Variables'] & {
    /** The words of the page, in the language of the user. */
    words: PageWords;
    /** The session of the user; set by `signedIn`. */
    session: Session;
    /** The client that the URL names, and the session acting for it; set by `inClient`. */
    client: OwnClient;
    actor: Actor;
    /** The places that the frame around a page leads to. */
    navigation: readonly NavSection[];
    /** The fields that a form of the request has sent, except files, once it has been read. */
    sent?: readonly SentField[];
    /** Why the request fails now, while it may succeed later. */
    failedNow?: AppError;
    /** Set if a form that was sent before is only shown again; the passwords were not kept. */
    shownAgain?: { readonly note: string; readonly passwords: readonly string[] };
    /** The session and the client for the frame around a page, as far as they are known. */
    viewer?: {
      readonly session: Session;
      readonly client: OwnClient | null;
      /** The client that the URL names, if it is deleted. */
      readonly deleted?: DeletedClient;
      /** The client that the URL names, if the session does not open it. */
      readonly closed?: ClosedClient;
    };
  };
}

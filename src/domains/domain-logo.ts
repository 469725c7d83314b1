import type { Actor } from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { keepLogo } from '../links/qr/kept-logo.ts';
import type { Logo } from '../links/qr/logo.ts';
import { domainNotFound } from './domains.ts';

/** Keeps a logo for the QR codes of links on a domain. Throws `not_found`, and what `keepLogo` throws. */
export async function keepDomainLogo(db: Database, actor: Actor, id: string, logo: Logo): Promise<void> {
  if (!(await keepLogo(db, actor, { domainId: id }, logo))) throw domainNotFound();
}

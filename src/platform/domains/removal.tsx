import type { Context, Hono } from 'hono';
import { getDomainInUse } from '../../domains/domains.ts';
import { removeHost } from '../../domains/hosts.ts';
import type { ErrorStatus } from '../../errors.ts';
import { domainToolsOf } from '../../http/domain-tools.ts';
import { isolated } from '../bidi.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, ownersOnly } from '../guard.ts';
import { Checkbox } from '../kit/boxes.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { displayHost } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';

const REMOVE = '/platform/c/:client/domains/:id/remove';

/** Adds the removal of a domain, with the question before it. */
export function addRemoval(pages: Hono<PlatformEnv>): void {
  pages.get(REMOVE, ownersOnly, (c) => respondWithRemoval(c));

  pages.post(REMOVE, ownersOnly, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const force = fields['force'] === 'on';
    const sent = await submit(c, fields, () => removeHost(domainToolsOf(c), c.var.actor, c.req.param('id'), { force }));
    if (!sent.ok) return respondWithRemoval(c, sent.form, sent.status);
    return seeOther(c, clientPath(c.var.client, 'domains'), 'domain-removed');
  });
}

async function respondWithRemoval(
  c: Context<PlatformEnv, typeof REMOVE>,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { db, actor, client, words } = c.var;
  const { text } = words;
  const { domain, links: count } = await getDomainInUse(db, actor, c.req.param('id'));
  return page(
    c,
    { title: text('domains.removeTitle'), narrow: true, status },
    <ConfirmPage
      title={text('domains.removeThis', { host: isolated(displayHost(domain.host)) })}
      label={text('domains.removeDomain')}
      back={clientPath(client, `domains/${domain.id}`)}
      form={{ ...form, complaint: form.complaint && text('domains.hasLinks') }}
      fields={
        count > 0 && (
          <Checkbox
            name="force"
            label={text('domains.removeLinks', { count })}
            hint={text('domains.removeLinksHint')}
          />
        )
      }
    >
      <p>{text('domains.removeEffect', { count })}</p>
    </ConfirmPage>,
  );
}

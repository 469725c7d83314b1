import { Hono, type Context } from 'hono';
import * as z from 'zod';
import {
  addApp,
  getFactors,
  offerApp,
  removeApp,
  renewRecoveryCodes,
  type Factors,
} from '../../../accounts/factors/factors.ts';
import type { ErrorStatus } from '../../../errors.ts';
import { factorToolsOf } from '../../../http/factor-tools.ts';
import { parseFields } from '../../../input/validation.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { qrFields } from '../../../links/qr/options.ts';
import { drawQrSvg } from '../../../links/qr/qr.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther } from '../../flash.ts';
import { newForm, readFields, submit, type FormState } from '../../forms/form.ts';
import { besideClient, freshlyConfirmed, ofAccount, signedIn } from '../../guard.ts';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { page } from '../../page.tsx';
import { CodesPage, FACTORS, FactorsPage, NewAppPage } from './factors-page.tsx';

const appFields = lazy(() => z.strictObject({ sealed: z.string(), code: z.string() }));

/** The pages on which users manage their second factors. */
export function factorPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${FACTORS}/*`, signedIn, besideClient, ofAccount);

  pages.get(FACTORS, async (c) => {
    const { session, words } = c.var;
    const factors = await getFactors(factorToolsOf(c), session);
    return page(c, { title: words.text('factors.title') }, <FactorsPage {...{ factors, session }} />);
  });

  pages.use(`${FACTORS}/app/*`, freshlyConfirmed);
  pages.use(`${FACTORS}/codes`, freshlyConfirmed);

  pages.get(`${FACTORS}/app`, async (c) => {
    const factors = await getFactors(factorToolsOf(c), c.var.session);
    return factors.appSince === null ? respondWithNewApp(c, factors, newForm()) : seeOther(c, FACTORS);
  });

  pages.post(`${FACTORS}/app`, async (c) => {
    const fields = await readFields(c);
    const tools = factorToolsOf(c);
    const { session, words } = c.var;
    const factors = await getFactors(tools, session);
    // A form that is sent again after a reload has done its work.
    if (factors.appSince !== null) return seeOther(c, FACTORS);
    const sent = await submit(c, fields, () => addApp(tools, session, parseFields(appFields(), fields)));
    if (!sent.ok) return respondWithNewApp(c, factors, sent.form, sent.status);
    const title = words.text('factors.nowOn');
    return page(c, { title }, <CodesPage codes={sent.value} title={title} />);
  });

  pages.get(`${FACTORS}/app/remove`, (c) => {
    const { text } = c.var.words;
    return page(
      c,
      { title: text('factors.removeTitle'), narrow: true },
      <ConfirmPage title={text('factors.removeTitle')} label={text('factors.remove')} back={FACTORS}>
        <p>{text('factors.removeEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${FACTORS}/app/remove`, async (c) => {
    const codes = await removeApp(factorToolsOf(c), c.var.session);
    if (codes.length === 0) return seeOther(c, FACTORS, 'factor-removed');
    const title = c.var.words.text('factors.newCodes');
    return page(c, { title }, <CodesPage {...{ codes, title }} />);
  });

  pages.get(`${FACTORS}/codes`, (c) => {
    const { text } = c.var.words;
    return page(
      c,
      { title: text('factors.renewTitle'), narrow: true },
      <ConfirmPage title={text('factors.renewTitle')} label={text('factors.renew')} back={FACTORS} kind="primary">
        <p>{text('factors.renewEffect')}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${FACTORS}/codes`, async (c) => {
    const codes = await renewRecoveryCodes(factorToolsOf(c), c.var.session);
    const title = c.var.words.text('factors.newCodes');
    return page(c, { title }, <CodesPage {...{ codes, title }} areRenewed />);
  });

  return pages;
}

async function respondWithNewApp(
  c: Context<PlatformEnv>,
  { basicUsedAt }: Factors,
  form: FormState,
  status: ErrorStatus | 200 = 200,
) {
  const issuer = c.var.services.config.brand?.name ?? 'Terse';
  const offer = await offerApp(factorToolsOf(c), c.var.session, issuer, form.values['sealed']);
  const svg = await drawQrSvg(offer.url, parseFields(z.strictObject(qrFields()), {}));
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const { timeZone } = c.var.session;
  const content = <NewAppPage {...{ offer, picture, basicUsedAt, timeZone }} form={{ ...form, values: {} }} />;
  return page(c, { title: c.var.words.text('factors.setUpTitle'), status }, content);
}

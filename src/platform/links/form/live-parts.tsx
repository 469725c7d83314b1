import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { AppError } from '../../../errors.ts';
import { parseFields } from '../../../input/validation.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { withScheme } from '../../../links/destinations/with-scheme.ts';
import { MAX_URL_CHARACTERS } from '../../../links/destinations/web-url.ts';
import { qrFields } from '../../../links/qr/options.ts';
import { drawQrSvg } from '../../../links/qr/qr.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import type { PlatformEnv } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { WordsOfPage } from '../../words.tsx';
import { takeDraft } from '../routes/draft.ts';
import * as z from 'zod';
import { BECOMES, BecomesParts, type Becoming } from './becomes.tsx';
import { FEW_CLICKS, FewClicks } from './few-clicks.tsx';
import { targetOf } from './fields.ts';
import { OptionState, stateId } from './option.tsx';
import { OPTION_NAMES, wordsOfOption } from './option-words.ts';
import { inputOf } from './parts.ts';

/** The parts of the form of a link that follow what is typed. */

interface Stored {
  readonly customDomain: string | null;
  readonly hasPassword: boolean;
}

/** The link that a form leads to. @param stored the link that is edited */
export async function becomingOf(
  { var: { site } }: Pick<Context<PlatformEnv>, 'var'>,
  { values, faults }: FormState,
  stored: Stored | null,
): Promise<Becoming> {
  const customDomain = stored ? stored.customDomain : values['custom_domain'] || null;
  const slug = faults['slug'] === undefined && faults['custom_domain'] === undefined ? (values['slug'] ?? '') : null;
  const { rules, variants } = takeDraft(values).draft ?? { rules: [], variants: [] };
  return {
    target: typedTarget(values),
    host: customDomain ?? (site.publicUrl ?? site.requestUrl).host,
    slug,
    code: slug ? await codeOf(shortUrlOf({ slug, customDomain }, site)) : null,
    card: {
      title: values[inputOf('title')] ?? '',
      description: values[inputOf('description')] ?? '',
      image: values[inputOf('image')] ?? '',
    },
    isRouted: rules.length + variants.length > 0,
    isStored: stored !== null,
  };
}

function typedTarget(values: FormState['values']): string | null {
  const url = withScheme(values['url'] ?? '');
  if (url.length > MAX_URL_CHARACTERS || !URL.canParse(url)) return null;
  try {
    return targetOf({ ...values, url });
  } catch (error) {
    // The parameters have errors of their own.
    if (error instanceof AppError && error.status === 400) return url;
    throw error;
  }
}

const qrDefaults = lazy(() => parseFields(z.strictObject(qrFields()), { size: '208', margin: '2' }));

async function codeOf(shortUrl: string): Promise<string | null> {
  try {
    const svg = await drawQrSvg(shortUrl, qrDefaults());
    return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  } catch (error) {
    // A slug of another script may be too long for a code.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The markup of these parts, by their ids, and of others. */
export async function livePartsOf(
  c: Pick<Context<PlatformEnv>, 'var'>,
  form: FormState,
  stored: Stored | null,
  others: Readonly<Record<string, Child>> = {},
): Promise<Record<string, string>> {
  const becoming = await becomingOf(c, form, stored);
  const states = OPTION_NAMES.map((name) => {
    const words = wordsOfOption(c.var.words, name, form.values, { hasPassword: stored?.hasPassword === true });
    return [stateId(name), <OptionState name={name} words={words} />] as const;
  });
  const parts = [
    ...Object.entries(others),
    ...states,
    [FEW_CLICKS, <FewClicks values={form.values} />] as const,
    [BECOMES, <BecomesParts becoming={becoming} />] as const,
  ];
  const inWords = (part: Child) => <WordsOfPage.Provider value={c.var.words}>{part}</WordsOfPage.Provider>;
  const markup = parts.map(async ([id, part]) => [id, String(await html`${inWords(part)}`)] as const);
  return Object.fromEntries(await Promise.all(markup));
}

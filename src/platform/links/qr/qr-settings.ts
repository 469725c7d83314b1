import { LEVELS, TRANSPARENT, type QrOptions } from '../../../links/qr/options.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import type { FormState } from '../../forms/form.ts';
import type { Option } from '../../kit/form.tsx';
import type { PageWords, PlainKey } from '../../words.tsx';
import type { OfLink } from '../page/link-frame.tsx';
import { linkPath } from '../paths.ts';

/** The settings of a QR code as the pages have them: in forms and in addresses. */

/** The style sheets of the pages of QR codes. */
export const QR_STYLES = ['qr.css'] as const;

/** The field of a logo that was sent before, in base64. */
export const KEPT_LOGO = 'kept_logo';

/** The values that the form offers; the address may have other numbers. */
export const MARGINS = Array.from({ length: 11 }, (_, modules) => modules);
// A module of the longest code has two pixels of the smallest picture.
export const SIZES = [512, 1024, 2048] as const;

export const marginOptions = ({ text }: PageWords): readonly Option[] =>
  MARGINS.map((count) => ({ value: String(count), label: text('qr.modules', { count }) }));

export const sizeOptions = ({ text }: PageWords): readonly Option[] =>
  SIZES.map(String).map((size) => ({ value: size, label: text('qr.pixels', { size }) }));

const RESTORED = { L: '7', M: '15', Q: '25', H: '30' } as const satisfies Record<(typeof LEVELS)[number], string>;

export const levelOptions = ({ text }: PageWords): readonly Option[] =>
  LEVELS.map((level) => ({ value: level, label: text('qr.levelRestores', { level, percent: RESTORED[level] }) }));

/** Options with these labels. */
const optionsOf =
  (labels: Readonly<Record<string, PlainKey>>) =>
  ({ text }: PageWords): readonly Option[] =>
    Object.entries(labels).map(([value, label]) => ({ value, label: text(label) }));

export const markerOptions = optionsOf({ true: 'qr.yes', false: 'qr.no' });

export const styleOptions = optionsOf({ square: 'qr.square', round: 'qr.round' });

export const frameOptions = optionsOf({ none: 'qr.noFrame', square: 'qr.square', round: 'qr.round' });

/** The field that says if a code has the logo that is kept. The form of a file has another one of the name `logo`. */
export const HAS_LOGO = 'has_logo';

export const logoOptions = optionsOf({ true: 'qr.keptLogo', false: 'qr.noLogo' });

/** The field that says if a background has a colour, since the input of a colour has one always. */
export const GROUND = 'ground';

export const groundOptions = optionsOf({ colour: 'qr.aColour', [TRANSPARENT]: 'qr.transparent' });

/** The options as texts by their names. */
const textsOf = (options: QrOptions): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));

/** The options as the fields of the form. */
export const settingsOf = (options: QrOptions): Record<string, string> => toForm(textsOf(options));

function toForm(values: Readonly<Record<string, string>>): Record<string, string> {
  const { logo, ...settings } = values;
  const { background, ...rest } = settings;
  const shown = background === TRANSPARENT ? { ...rest, [GROUND]: TRANSPARENT } : settings;
  return logo === undefined ? shown : { ...shown, [HAS_LOGO]: logo };
}

/** The fields of the form as options. The level is H with a logo. */
export function fromForm(values: Readonly<Record<string, string>>): Record<string, string> {
  const { [GROUND]: ground, [HAS_LOGO]: logo = values['logo'], ...rest } = values;
  const background = ground === TRANSPARENT && { background: TRANSPARENT };
  const { text = '', ...settings } = rest;
  // Fields of a form are empty rather than absent.
  return {
    ...settings,
    ...(text !== '' && { text }),
    ...background,
    ...(logo !== undefined && { logo }),
    ...(logo === 'true' && { level: 'H' }),
  };
}

/** The values that an address leaves out. */
const LEFT_OUT = { marker: 'true', dots: 'square', corners: 'square', frame: 'none', text: '' };

/** The address of a page or a file below a link, with these options. */
export function qrAddress({ client, link }: Pick<OfLink, 'client' | 'link'>, options: QrOptions, kind: string): string {
  const query = new URLSearchParams({ ...textsOf(options), ...withoutHash(options) });
  for (const [name, usual] of Object.entries(LEFT_OUT)) if (query.get(name) === usual) query.delete(name);
  const isFile = kind === 'svg' || kind === 'png';
  // Without a word of it, the page has the logo that is kept.
  if (isFile && !options.logo) query.delete('logo');
  return `${linkPath(client, link.id, isFile ? `qr.${kind}` : kind)}?${String(query)}`;
}

// An address with `%23` is harder to read.
const withoutHash = ({ colour, background }: QrOptions) => ({
  colour: colour.slice(1),
  background: background.replace('#', ''),
});

/** A refused form with its colours as their inputs take them; others are left out. */
export function withHash(form: FormState): FormState {
  const values = Object.entries(toForm(form.values)).flatMap(([name, value]) => {
    if (name !== 'colour' && name !== 'background') return [[name, value]];
    return /^#?[\da-f]{6}$/i.test(value) ? [[name, `#${value.replace('#', '')}`]] : [];
  });
  return { ...form, values: Object.fromEntries(values) };
}

/** The name of the file of a link's code, without its ending. */
export const fileNameOf = ({ slug }: Pick<ManagedLink, 'slug'>): string => `qr-${slug.replaceAll('/', '-')}`;

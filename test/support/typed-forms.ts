import { PAGE_NAMES, openPages } from './pages.ts';
import { pageFieldsOf } from './page-fields.ts';

/** The forms of all pages into which a person types something, found in the pages themselves. */

export interface TypedForm {
  /** The path of the page that has it. */
  readonly page: string;
  readonly action: string;
  readonly isMultipart: boolean;
  /** Its fields as the page has them. */
  readonly fields: Readonly<Record<string, string>>;
  /** The names of the lines and areas of text. */
  readonly texts: readonly string[];
  readonly passwords: readonly string[];
  readonly files: readonly string[];
}

const FORM = /<form\b([^>]*)>(.*?)<\/form>/gs;
const CONTROL = /<(input|textarea|select)\b([^>]*)>/g;
const attributeOf = (text: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(` ${text}`)?.[1];

/** The forms of a page that a person types into and that change something. */
export function typedFormsOf(html: string, page: string): TypedForm[] {
  return [...html.matchAll(FORM)].flatMap(([, head = '', body = '']) => {
    if (attributeOf(head, 'method') !== 'post') return [];
    const controls = [...body.matchAll(CONTROL)].map(([, tag, attributes = '']) => ({
      name: attributeOf(attributes, 'name') ?? '',
      type: tag === 'input' ? (attributeOf(attributes, 'type') ?? 'text') : tag!,
    }));
    const named = (...types: string[]) =>
      controls.filter(({ name, type }) => name !== '' && types.includes(type)).map(({ name }) => name);
    const typed = controls.filter(({ type }) => type !== 'hidden' && type !== 'submit');
    if (typed.length === 0) return [];
    return {
      page,
      action: (attributeOf(head, 'action') ?? page.replace(/\?.*/, '')).replaceAll('&amp;', '&'),
      isMultipart: attributeOf(head, 'enctype') === 'multipart/form-data',
      fields: pageFieldsOf(body),
      texts: named('text', 'url', 'search', 'textarea', 'number', 'datetime-local', 'date'),
      passwords: named('password'),
      files: named('file'),
    };
  });
}

export type Open = Awaited<ReturnType<typeof openPages>>['open'];

/** All of them, with what opens their pages. */
export async function openTypedForms(): Promise<{ forms: readonly TypedForm[]; open: Open }> {
  const { requestOf, open } = await openPages();
  const forms = new Map<string, TypedForm>();
  for (const name of PAGE_NAMES.filter((each) => each.startsWith('GET ') && !each.endsWith('/stream'))) {
    const { path } = requestOf(name);
    const response = await open(path);
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) continue;
    for (const form of typedFormsOf(await response.text(), path)) forms.set(form.action, form);
  }
  return { forms: [...forms.values()], open };
}

import { ORIGIN } from './service.ts';

/** The forms of an import, as a browser sends them. */

export function sent(fields: Readonly<Record<string, string | File>>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { method: 'POST', body, headers: { Origin: ORIGIN } };
}

export const upload = (content: string | Uint8Array<ArrayBuffer>, name = 'links.csv', fields = {}) =>
  sent({ file: new File([content], name), ...fields });

/** The hidden fields of a page's form, and the options that are selected. */
export function fieldsOf(page: string): Record<string, string> {
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const selects = [...page.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(([, name, options]) => {
    const [, value] = /<option value="([^"]*)" selected=""/.exec(options ?? '') ?? [];
    return [name, value ?? ''];
  });
  const text = (it = '') => it.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  return Object.fromEntries([...hidden.map(([, name, value]) => [name, text(value)]), ...selects]);
}

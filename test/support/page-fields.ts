/** The fields of the forms of a page, as a browser sends them unchanged. */
export function pageFieldsOf(page: string): Record<string, string> {
  const fields = new Map<string, string>();
  const controls = page.matchAll(/<input\b([^>]*)>|<(textarea|select)\b([^>]*)>(.*?)<\/\2>/gs);
  for (const [, input, kind, attributes = input ?? '', content = ''] of controls) {
    const name = attributeOf(attributes, 'name');
    if (name === null) continue;
    if (kind === 'textarea') fields.set(name, areaOf(unescaped(content)));
    else if (kind === 'select') fields.set(name, selectedOf(content));
    else if (!/type="(?:checkbox|radio)"/.test(attributes) || / checked/.test(attributes))
      fields.set(name, attributeOf(attributes, 'value') ?? '');
  }
  return Object.fromEntries(fields);
}

function selectedOf(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
  return attributeOf(all.find((attributes) => / selected/.test(attributes)) ?? all[0] ?? '', 'value') ?? '';
}

function attributeOf(attributes: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(` ${attributes}`)?.[1];
  return value === undefined ? null : unescaped(value);
}

const CHARACTERS: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };

const unescaped = (text: string) => text.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => CHARACTERS[name]!);

// A browser reads each line end as a line feed, drops one directly after the tag, and sends each as CR LF. Source:
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
const areaOf = (text: string) => text.replaceAll(/\r\n?/g, '\n').replace(/^\n/, '').replaceAll('\n', '\r\n');

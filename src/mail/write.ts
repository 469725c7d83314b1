/** The two forms of a mail: text, and HTML that shows the same. */

/** The texts of a mail, all of them plain. */
export interface Letter {
  readonly subject: string;
  readonly lead: string;
  readonly button: string;
  readonly url: string;
  readonly note: string;
  readonly linkAgain: string;
  readonly footer: string;
  readonly service: string;
  readonly language: string;
  /** Six hexadecimal digits, or null for the green of the design. */
  readonly colour: string | null;
}

const GREEN = '0b6b4b';

/** The text of a mail. Its lines are not folded, since mail programs do that. */
export function writeText({ subject, lead, button, url, note, footer }: Letter): string {
  return `${subject}\n\n${lead}\n\n${button}:\n${url}\n\n${note}\n\n-- \n${footer}\n`;
}

// The colours are those of the design, which a mail cannot load. A program that is dark by itself turns them.
const STYLE = `body{margin:0;background:#f8f3e9;color:#1a2620}
.sheet{background:#fffdfa;border-color:#e9e1d1}.soft{color:#5a6158}.url{color:#0a6446}
@media (prefers-color-scheme:dark){body{background:#0e1512!important;color:#f1ede2!important}
.sheet{background:#141d19!important;border-color:#34443d!important;color:#f1ede2!important}
.soft{color:#a9b3aa!important}.url{color:#68d6a6!important}}`;

const FONT = "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";

/** The HTML of a mail. It loads nothing: no image, no font, no script. */
export function writeHtml(letter: Letter): string {
  const { subject, lead, button, url, note, linkAgain, footer, service, language } = mapped(letter);
  const colour = letter.colour ?? GREEN;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body style="margin:0;padding:32px 16px;${FONT}">
<div class="sheet" style="max-width:520px;margin:0 auto;padding:32px;border:1px solid #e9e1d1;border-radius:12px">
<p style="margin:0 0 24px;font-weight:700">${service}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
<p style="margin:0 0 24px">${lead}</p>
<p style="margin:0 0 24px"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#${colour};color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
<p class="soft" style="margin:0 0 24px">${note}</p>
<p class="soft" style="margin:0;font-size:13px">${linkAgain}<br><a class="url" href="${url}" style="word-break:break-all">${url}</a></p>
</div>
<p class="soft" style="max-width:520px;margin:16px auto 0;font-size:13px">${footer}</p>
</body>
</html>
`;
}

type Escaped = { readonly [Name in keyof Letter]: string };

// Everything is escaped, so that no text of a caller is forgotten.
const mapped = (letter: Letter): Escaped =>
  Object.fromEntries(Object.entries(letter).map(([name, text]) => [name, escapeHtml(text ?? '')])) as Escaped;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
